import Bytes
import Expressions
import JSONBytes
import XMLBytes

extension Shaper {
    /// What the request is now.
    enum Form { case json, form, multipart, query, xml }

    /// `nil`: there is no body to change.
    func source(of draft: RequestDraft) throws(GatewayError) -> Form? {
        if plan.source == .query { return .query }
        guard draft.hasBody else { return nil }
        switch plan.source {
        case .json: return .json
        case .form: return .form
        case .multipart: return .multipart
        case .xml: return .xml
        case .auto, .query:
            if draft.isJSON { return .json }
            if draft.isForm { return .form }
            if draft.isMultipart { return .multipart }
            if draft.isXML { return .xml }
            throw GatewayError(
                .badRequest, detail: "this route takes a JSON, form, multipart or XML body (Content-Type says which)",
                status: 415)
        }
    }

    /// The fields, and the name of the element that they stand in when they come as XML.
    func read(
        _ form: Form, _ draft: RequestDraft, _ query: [UInt8]?
    ) throws(GatewayError) -> (fields: [ShapeField], root: [UInt8]?) {
        switch form {
        case .query: return (pairs(query ?? []), nil)
        case .form: return (pairs(try draft.held()), nil)
        case .multipart: return (try parts(draft), nil)
        case .xml: return try elements(try draft.held())
        case .json:
            guard let root = try? JSONDocument(parsing: draft.held()).root, root.kind == .object else {
                throw GatewayError.badRequest("this route takes a JSON object, and the body is none")
            }
            let fields = root.members.map {
                ShapeField(name: Array($0.key.text ?? []), value: .json($0.value), isPair: false)
            }
            return (fields, nil)
        }
    }

    private func pairs(_ text: [UInt8]) -> [ShapeField] {
        let block = Percent.pairs(text.span)
        return (0..<block.count).map {
            ShapeField(name: Array(block.name(at: $0)), value: .string(block.value(at: $0)), isPair: true)
        }
    }

    private func parts(_ draft: RequestDraft) throws(GatewayError) -> [ShapeField] {
        let type = draft.fields.first("content-type", folding: true) ?? []
        guard let parts = MultipartReader.parts(of: try draft.held(), contentType: type) else {
            throw GatewayError.badRequest("this route takes multipart/form-data, and the body is none")
        }
        return parts.map { part in
            let value = part.value[...]
            return ShapeField(
                name: part.name, value: part.filename == nil ? .string(value) : .bytes(value), isPair: true,
                filename: part.filename, type: part.type)
        }
    }

    /// What is right inside the root, as `xml.decode` sees it.
    private func elements(_ body: [UInt8]) throws(GatewayError) -> (fields: [ShapeField], root: [UInt8]?) {
        guard let document = try? XMLDocument(parsing: body) else {
            throw GatewayError.badRequest("this route takes an XML document, and the body is none")
        }
        let root = Array(document.root.localName)
        guard case .map(let map) = Value.xml(document), case .map(let content)? = map.entries.first?.value else {
            if document.root.text.isEmpty { return ([], root) }
            throw GatewayError.badRequest("this route takes an XML document with elements in its root")
        }
        let fields = content.entries.map { entry in
            var name: [UInt8] = []
            entry.key.appendText(to: &name)
            return ShapeField(name: name, value: entry.value, isPair: false)
        }
        return (fields, root)
    }
}
