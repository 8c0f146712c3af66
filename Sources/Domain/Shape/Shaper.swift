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
    let ownedQuery: OwnedNames

    /// - Parameter query: the client's own, before any rewrite.
    func apply(to draft: RequestDraft, query: [UInt8]?, _ scope: ExchangeScope) throws(GatewayError) {
        try setMethod(of: draft)
        guard plan.changesFields, let form = try source(of: draft) else { return }
        if plan.transforms.isEmpty, isTarget(form) { return }
        var (fields, root) = try read(form, draft, query)
        for transform in plan.transforms {
            let nester = FieldNester(nesting: plan.nesting)
            try FieldTransformer(transform: transform, nester: nester, scope: scope).apply(to: &fields)
        }
        root = plan.root ?? root
        try write(fields, as: target(for: form), root: root ?? Array("xml".utf8), draft)
    }

    /// Of every request, whatever it carries: what comes after may give a body to what had none.
    private func setMethod(of draft: RequestDraft) throws(GatewayError) {
        guard let method = plan.method else { return }
        guard draft.method != Array("HEAD".utf8) else {
            throw GatewayError.badRequest("this route makes another method of a request, and cannot of HEAD")
        }
        let hadBody = draft.takesBody && draft.hasBody
        draft.method = method
        guard draft.takesBody || !hadBody || plan.target == .query else {
            throw GatewayError.badRequest("this route makes a GET of a request: send it without a body")
        }
    }

    private func isTarget(_ form: Form) -> Bool {
        switch (form, plan.target) {
        case (_, .keep), (.json, .json), (.form, .form), (.query, .query), (.multipart, .multipart), (.xml, .xml):
            return plan.source != .query
        default: return false
        }
    }

    private func target(for form: Form) -> ShapePlan.Target {
        guard plan.target == .keep else { return plan.target }
        switch form {
        case .json: return .json
        case .form: return .form
        case .query: return .query
        case .multipart: return .multipart
        case .xml: return .xml
        }
    }

    private func write(
        _ fields: [ShapeField], as target: ShapePlan.Target, root: [UInt8], _ draft: RequestDraft
    ) throws(GatewayError) {
        switch target {
        case .keep: return
        case .query:
            let text = try FieldFlattener(nesting: plan.nesting, limit: limit).query(
                fields.filter { !ownedQuery.contains($0.name.span) })
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
            let body = MultipartText(try FieldFlattener(nesting: plan.nesting, limit: limit).parts(fields))
            draft.content = .held(body.bytes)
            draft.setContentType(body.contentType)
        case .xml:
            draft.content = .held(try XMLShape(limit: limit).document(root, fields))
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
        ownType = nil
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
