import Bytes
import Expressions
import JSONBytes
import XMLBytes

/// Puts fields into a request, each at its place. A template that errs refuses the request and names the recipe and the
/// field; no half-attached request ever leaves.
enum Attacher {
    static func attach(
        _ plan: AttachPlan, to draft: RequestDraft, _ scope: ExchangeScope, recipe: String
    ) throws(GatewayError) {
        var text: [UInt8] = []
        var form: [UInt8] = []
        if plan.touches(.form), !plan.touches(.body) {
            // The request's own form first: the result is then the body, without another copy.
            let own = draft.heldForm
            form.reserveCapacity(own.count + 128)
            form.append(copying: own.span)
        }
        let ownCount = form.count
        var query: [UInt8] = []
        var json: [(place: JSONPlace, value: [UInt8])] = []
        var xml: [(name: [UInt8], value: [UInt8])] = []
        for field in plan.fields {
            text.removeAll(keepingCapacity: true)
            do throws(EvaluationError) {
                if field.place == .form, field.value.isExpression, scope.trace == nil {
                    // What nearly every signature attaches needs no buffer in between.
                    let value = try field.value.evaluate(scope)
                    if case .optional(nil) = value { continue }
                    if case .string(let part) = value {
                        PairText.append(name: field.name.span, value: part.span, spaceIsPlus: true, to: &form)
                        continue
                    }
                    value.appendText(to: &text)
                } else {
                    guard try append(field, to: &text, scope) else { continue }
                }
            } catch {
                throw GatewayError.recipe(
                    "\(recipe), \(field.title)", error, using: field.value.references,
                    failed: field.value.names(behind: error))
            }
            scope.trace?.attached(field, value: text, recipe: recipe)
            switch field.place {
            case .header: try setHeader(field, text, draft, recipe)
            case .query: PairText.append(name: field.name.span, value: text.span, spaceIsPlus: false, to: &query)
            case .form: PairText.append(name: field.name.span, value: text.span, spaceIsPlus: true, to: &form)
            case .json: if let place = JSONPlace(field.name) { json.append((place, text)) }
            case .xml: xml.append((field.name, try characters(text, field, recipe)))
            case .body: try setBody(text, of: draft)
            case .cookie: try addCookie(field, text, draft, recipe)
            }
        }
        if !query.isEmpty { draft.query = joined(draft.query ?? [], query) }
        if form.count > ownCount { try addForm(ownCount > 0 ? form : joined(draft.heldForm, form), to: draft) }
        if !json.isEmpty { try addJSON(json, to: draft) }
        if !xml.isEmpty { try addXML(xml, to: draft) }
    }

    /// False when the field is not for this request.
    private static func append(
        _ field: AttachPlan.Field, to text: inout [UInt8], _ scope: ExchangeScope
    ) throws(EvaluationError) -> Bool {
        guard field.place == .json || field.value.isExpression else {
            try field.value.append(to: &text, scope)
            if field.place == .xml { try requireText(.string(text[...])) }
            return true
        }
        let value = try field.value.evaluate(scope)
        if case .optional(nil) = value { return false }
        // Of XML in another charset the recipe makes bytes.
        if field.place == .json || field.place == .xml { try requireText(value) }
        if field.place == .json {
            value.appendJSON(to: &text)
        } else {
            value.appendText(to: &text)
        }
        return true
    }

    /// A replacement character would be sent, and signed, as if the client had written it.
    private static func requireText(_ value: Value) throws(EvaluationError) {
        guard value.isUnicode else { throw EvaluationError(.badArgument, "text that is no UTF-8") }
    }

    static func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
        guard let last = first.last else { return second }
        var text = first
        text.reserveCapacity(first.count + second.count + 1)
        if last != 0x26 { text.append(0x26) }
        text.append(contentsOf: second)
        return text
    }

    private static func refusal(
        _ field: AttachPlan.Field, _ recipe: String, _ place: String, _ problem: String
    ) -> GatewayError {
        GatewayError.recipe(
            "\(recipe), \(place) \(String(decoding: field.name, as: UTF8.self)): \(problem)",
            using: field.value.references)
    }

    /// RFC 9110 5.5: a field value holds no CR, LF or NUL. A token with one is a fault of the login, not a header.
    private static func setHeader(
        _ field: AttachPlan.Field, _ value: [UInt8], _ draft: RequestDraft, _ recipe: String
    ) throws(GatewayError) {
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw refusal(field, recipe, "field", "control character")
        }
        setHeader(field.name, value, draft)
    }

    private static func setHeader(_ name: [UInt8], _ value: [UInt8], _ draft: RequestDraft) {
        // What an earlier recipe attached gives way; the client's own is gone already.
        if draft.fields.firstIndex(of: name.span, folding: true) != nil {
            draft.fields.removeAll { block, index in ASCII.equalFolded(block.name(at: index).span, name.span) }
        }
        draft.fields.append(name: name, value: value)
    }

    /// One Cookie field (RFC 6265 5.4): a second would be refused by some servers. A value that could end its cookie, and
    /// begin another, is refused.
    private static func addCookie(
        _ field: AttachPlan.Field, _ value: [UInt8], _ draft: RequestDraft, _ recipe: String
    ) throws(GatewayError) {
        guard CookieText.isValue(value) else {
            throw refusal(
                field, recipe, "cookie", "a cookie holds no blank, quote, comma, semicolon, backslash or control")
        }
        let cookie = Array("Cookie".utf8)
        // As with headers: what an earlier recipe, or the jar, has under this name gives way.
        CookieText.drop(exactly: field.name, from: draft)
        var text = draft.fields.first("cookie", folding: true).map { Array($0) } ?? []
        if !text.isEmpty { text.append(contentsOf: [0x3B, 0x20]) }
        text.append(contentsOf: field.name)
        text.append(0x3D)
        text.append(contentsOf: value)
        setHeader(cookie, text, draft)
    }

    /// `form` begins with the fields that a form body has; a multipart body gets a part for each of its fields. A request
    /// without a body becomes a form, except GET and HEAD, whose body has no meaning (RFC 9110 9.3.1) and would be lost on
    /// the way.
    static func addForm(_ form: [UInt8], to draft: RequestDraft) throws(GatewayError) {
        switch draft.content {
        case .held where draft.isForm: draft.content = .held(form)
        case .held(let body) where !body.isEmpty && draft.isMultipart:
            guard let longer = draft.multipart?.appending(Percent.pairs(form.span)) else {
                throw GatewayError.badRequest("this route attaches form fields: the multipart body is broken")
            }
            draft.content = .held(longer)
        case .held(let body) where !body.isEmpty:
            let problem =
                draft.fields.first("content-type", folding: true) == nil
                ? "the body has no Content-Type (application/x-www-form-urlencoded?)"
                : "send a form body, not another type"
            throw GatewayError.badRequest("this route attaches form fields: \(problem)")
        case .none, .held:
            guard draft.takesBody else {
                throw GatewayError.badRequest(
                    "this route attaches form fields: send the request as POST with a form body")
            }
            if !draft.isForm { draft.setContentType("application/x-www-form-urlencoded") }
            draft.content = .held(form)
        case .streamed:
            throw GatewayError.badRequest("this route attaches form fields: the body is too large to be held")
        }
    }

    /// Replaces the body as a whole; its media type is the business of an attached `Content-Type`.
    private static func setBody(_ bytes: [UInt8], of draft: RequestDraft) throws(GatewayError) {
        guard draft.takesBody else {
            throw GatewayError.badRequest("this route attaches a body: send the request as POST")
        }
        draft.content = .held(bytes)
        draft.ownType = nil
    }

    /// XML has no way to say most controls: they are refused, never left to the reader.
    private static func characters(
        _ text: [UInt8], _ field: AttachPlan.Field, _ recipe: String
    ) throws(GatewayError) -> [UInt8] {
        let isUTF8 = Value.string(text[...]).isUnicode
        guard XMLText.isCharacters(text[...], anyCharset: !isUTF8) else {
            throw refusal(field, recipe, "element", "a character that XML cannot hold")
        }
        return text
    }

    /// Elements before the end tag of the root: the client's own bytes stay as they are.
    private static func addXML(_ elements: [(name: [UInt8], value: [UInt8])], to draft: RequestDraft)
        throws(GatewayError)
    {
        guard case .held(let bytes) = draft.content, let body = XMLDocument.appending(elements, to: bytes) else {
            throw GatewayError.badRequest("this route attaches XML elements: send an XML body with a root element")
        }
        draft.content = .held(body)
    }

    /// Spliced in before the closing brace: the client's own bytes stay as they are. A request without a body becomes a JSON
    /// object, except GET and HEAD, as with a form.
    private static func addJSON(_ members: [(place: JSONPlace, value: [UInt8])], to draft: RequestDraft)
        throws(GatewayError)
    {
        var body: [UInt8] = [0x7B, 0x7D]
        switch draft.content {
        case .held(let bytes) where !bytes.isEmpty:
            guard draft.isJSON || draft.contentType == nil else {
                throw GatewayError.badRequest(
                    "this route attaches JSON fields: send the body as application/json, or have the route say what all of "
                        + "its bodies are (request: {from: json})")
            }
            body = bytes
        case .none, .held:
            guard draft.takesBody else {
                throw GatewayError.badRequest(
                    "this route attaches JSON fields: send the request as POST with a JSON body")
            }
        case .streamed:
            throw GatewayError.badRequest("this route attaches JSON fields: the body is too large to be held")
        }
        guard let spliced = JSONText.appending(members, to: body) else {
            throw GatewayError.badRequest(
                "this route attaches JSON fields: the body, and what stands where they go, must be one JSON object "
                    + "(or a list that has the position)")
        }
        if !draft.isJSON { draft.setContentType("application/json") }
        draft.content = .held(spliced)
    }
}
