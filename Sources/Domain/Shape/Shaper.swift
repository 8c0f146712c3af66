import Bytes
import Expressions
import JSONBytes

/// Takes a request's fields out of one shape, transforms them, and puts them into another. A request that does not fit is
/// refused with a status that says how: 415 for a body of another kind, 400 for one that is broken, 413 when too much
/// comes out.
struct Shaper {
    let plan: ShapePlan
    /// Most bytes of the new body or query.
    let limit: UInt64
    /// Query parameters that are the gateway's own.
    let ownedQuery: [[UInt8]]

    /// What the request is now.
    private enum Form { case json, form, query }

    /// - Parameter query: the client's own, before any rewrite.
    func apply(to draft: RequestDraft, query: [UInt8]?, _ scope: ExchangeScope) throws(GatewayError) {
        guard let form = try source(of: draft, query: query) else { return }
        if plan.transforms.isEmpty, isTarget(form) { return }
        var fields = try read(form, draft, query)
        try transform(&fields, scope)
        if let method = plan.method {
            guard draft.method != Array("HEAD".utf8) else {
                throw GatewayError.badRequest("this route makes another method of a request, and cannot of HEAD")
            }
            draft.method = method
        }
        try write(fields, as: target(for: form), draft)
    }

    // MARK: Reading

    private func source(of draft: RequestDraft, query: [UInt8]?) throws(GatewayError) -> Form? {
        switch plan.source {
        case .query: return .query
        case .json: return draft.hasBody ? .json : nil
        case .form: return draft.hasBody ? .form : nil
        case .auto:
            guard draft.hasBody else { return nil }
            if draft.isJSON { return .json }
            if draft.isForm { return .form }
            // A file is on its way already as it should be.
            if plan.target == .multipart, plan.transforms.isEmpty, draft.isMultipart { return nil }
            throw GatewayError(
                .badRequest, detail: "this route takes a JSON or form body (Content-Type says which)", status: 415)
        }
    }

    private func isTarget(_ form: Form) -> Bool {
        guard plan.method == nil else { return false }
        switch (form, plan.target) {
        case (_, .keep), (.json, .json), (.form, .form), (.query, .query): return plan.source != .query
        default: return false
        }
    }

    private func target(for form: Form) -> ShapePlan.Target {
        guard plan.target == .keep else { return plan.target }
        switch form {
        case .json: return .json
        case .form: return .form
        case .query: return .query
        }
    }

    private func read(_ form: Form, _ draft: RequestDraft, _ query: [UInt8]?) throws(GatewayError) -> [ShapeField] {
        switch form {
        case .query: return pairs(query ?? [])
        case .form: return pairs(try draft.held())
        case .json:
            guard let root = try? JSONDocument(parsing: draft.held()).root, root.kind == .object else {
                throw GatewayError.badRequest("this route takes a JSON object, and the body is none")
            }
            var fields: [ShapeField] = []
            for member in root.members {
                fields.append(ShapeField(name: Array(member.key.text ?? []), value: .json(member.value), isPair: false))
            }
            return fields
        }
    }

    private func pairs(_ text: [UInt8]) -> [ShapeField] {
        let block = Percent.pairs(text.span)
        return (0..<block.count).map {
            ShapeField(name: Array(block.name(at: $0)), value: .string(block.value(at: $0)), isPair: true)
        }
    }

    // MARK: Changing

    /// An absent result takes the field away.
    private func transform(_ fields: inout [ShapeField], _ scope: ExchangeScope) throws(GatewayError) {
        defer { scope.field = nil }
        for transform in plan.transforms {
            for index in fields.indices where fields[index].name == transform.name {
                scope.field = fields[index].value
                do {
                    let value = try transform.value.evaluate(scope)
                    fields[index].value = value
                    scope.trace?.transformed(transform.name, value)
                } catch {
                    let name = String(decoding: transform.name, as: UTF8.self)
                    throw GatewayError.badRequest("transform of field \(name): \(error)")
                }
            }
            fields.removeAll { field in
                guard field.name == transform.name, case .optional(nil) = field.value else { return false }
                return true
            }
        }
    }

    // MARK: Writing

    private func write(
        _ fields: [ShapeField], as target: ShapePlan.Target, _ draft: RequestDraft
    ) throws(GatewayError) {
        switch target {
        case .keep: return
        case .query:
            let text = try FieldFlattener(nesting: plan.nesting, limit: limit).query(
                fields.filter { !ownedQuery.contains($0.name) })
            draft.appendQuery(text)
            // The client framed a body, so that the upstream hears of an empty one; a GET had none.
            if case .held = draft.content { draft.content = draft.takesBody ? .held([]) : .none }
            draft.setContentType(nil)
            return
        case .form, .json, .multipart, .xml: break
        }
        guard draft.takesBody else {
            throw GatewayError.badRequest("this route sends a body: use POST, PUT, PATCH or DELETE")
        }
        switch target {
        case .form:
            draft.content = .held(try FieldFlattener(nesting: plan.nesting, limit: limit).form(fields))
            draft.setContentType("application/x-www-form-urlencoded")
        case .json:
            guard fields.allSatisfy({ $0.value.isUnicode && Value.string($0.name[...]).isUnicode }) else {
                throw GatewayError.badRequest("this route sends JSON, and a field holds bytes that are no UTF-8")
            }
            draft.content = .held(try FieldNester(nesting: plan.nesting).json(fields))
            draft.setContentType("application/json")
        case .multipart:
            let parts = try FieldFlattener(nesting: plan.nesting, limit: limit).parts(fields)
            let body = MultipartText(parts)
            draft.content = .held(body.bytes)
            draft.setContentType("multipart/form-data; boundary=" + String(decoding: body.boundary, as: UTF8.self))
        case .xml:
            draft.content = .held(try XMLShape(limit: limit).document(plan.root, fields))
            draft.setContentType("application/xml; charset=utf-8")
        case .keep, .query: break
        }
    }
}

extension RequestDraft {
    var hasBody: Bool {
        switch content {
        case .none: false
        case .held(let bytes): !bytes.isEmpty
        case .streamed: true
        }
    }

    /// RFC 9110 9.3: a body of these means nothing and would be lost on the way.
    var takesBody: Bool { method != Array("GET".utf8) && method != Array("HEAD".utf8) }

    func held() throws(GatewayError) -> [UInt8] {
        guard case .held(let bytes) = content else {
            throw GatewayError.badRequest("this route changes the body, which is too large to be held")
        }
        return bytes
    }

    func setContentType(_ type: String?) {
        let name = Array("Content-Type".utf8)
        fields.removeAll { block, index in ASCII.equalFolded(block.name(at: index).span, name.span) }
        if let type { fields.append(name: name, value: Array(type.utf8)) }
    }

    func appendQuery(_ text: [UInt8]) {
        guard !text.isEmpty else { return }
        var query = query ?? []
        if let last = query.last, last != 0x26 { query.append(0x26) }
        self.query = query + text
    }
}
