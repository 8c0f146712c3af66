import Bytes
import Expressions
import HTTPWire
import JSONBytes

/// The course of one login: which request comes next, and what its answer means. Values carry over from step to step as
/// `session.NAME`.
package struct LoginRun {
    package enum Verdict {
        case next
        case succeeded(CredentialGrant)
        /// The upstream says that user, password or key are wrong.
        case refused(GatewayError)
        case failed(GatewayError)
    }

    private let plan: SessionPlan
    private var step = 0
    private let captures: MemberList

    package init(plan: SessionPlan) {
        self.plan = plan
        captures = MemberList(
            Array(repeating: .null, count: plan.captureNames.count), what: "the login has not captured it yet")
    }

    package static var emptyDraft: RequestDraft {
        RequestDraft(
            method: Array("GET".utf8), path: [0x2F], query: nil, fields: PairBlock(), content: .none, host: [],
            remote: [])
    }

    /// The request of the current step, signed.
    package func nextRequest(_ scope: ExchangeScope, upstream: UpstreamPlan) throws(GatewayError) -> UpstreamRequest {
        let draft = Self.emptyDraft
        scope.request = draft
        scope.response = nil
        scope.session = captures
        let recipe = plan.login[step]
        do {
            try fill(draft, recipe, scope)
        } catch {
            throw GatewayError(.internal, detail: "login step \(step + 1) of session \(plan.name): \(error)")
        }
        let common = upstream.attach.fitting(draft).missing(in: draft)
        try Attacher.attach(common, to: draft, scope, recipe: "upstream \(upstream.name)")
        if !upstream.basePath.isEmpty { draft.path = upstream.basePath + draft.path }
        draft.host = Array(upstream.authority.utf8)
        draft.isSecure = upstream.scheme == .https
        try Signer.sign(draft, with: recipe.signatures, scope)
        return UpstreamRequest(
            method: draft.method, target: draft.target, fields: draft.fields, body: body(of: draft),
            isIdempotent: false)
    }

    private func body(of draft: RequestDraft) -> UpstreamRequest.Body {
        if case .held(let bytes) = draft.content { .bytes(bytes) } else { .none }
    }

    private func fill(_ draft: RequestDraft, _ recipe: LoginStep, _ scope: ExchangeScope) throws(EvaluationError) {
        draft.method = recipe.method
        var target: [UInt8] = []
        try recipe.path.append(to: &target, scope)
        let mark = target.firstIndex(of: 0x3F)
        draft.path = Array(target[..<(mark ?? target.count)])
        var query = mark.map { Array(target[($0 + 1)...]) } ?? []
        try append(recipe.query, scope, spaceIsPlus: false, to: &query)
        draft.query = mark == nil && query.isEmpty ? nil : query
        for field in recipe.headers {
            try appendHeader(field, to: draft, scope)
        }
        try fillBody(draft, recipe, scope)
    }

    private func appendHeader(
        _ field: LoginStep.Field, to draft: RequestDraft, _ scope: ExchangeScope
    ) throws(EvaluationError) {
        var value: [UInt8] = []
        try field.value.append(to: &value, scope)
        // RFC 9110 5.5: no control character in a field value.
        value.removeAll { $0 < 0x20 || $0 == 0x7F }
        draft.fields.append(name: field.name, value: value)
    }

    private func fillBody(_ draft: RequestDraft, _ recipe: LoginStep, _ scope: ExchangeScope) throws(EvaluationError) {
        var bytes: [UInt8] = []
        switch recipe.body {
        case .none: return
        case .form(let fields):
            try append(fields, scope, spaceIsPlus: true, to: &bytes)
            setType("application/x-www-form-urlencoded", draft)
        case .json(let shape):
            try append(shape, scope, to: &bytes)
            setType("application/json", draft)
        case .raw(let template): try template.append(to: &bytes, scope)
        }
        draft.content = .held(bytes)
    }

    private func setType(_ type: String, _ draft: RequestDraft) {
        guard draft.fields.first("content-type", folding: true) == nil else { return }
        draft.fields.append(name: Array("Content-Type".utf8), value: Array(type.utf8))
    }

    private func append(
        _ fields: [LoginStep.Field], _ scope: ExchangeScope, spaceIsPlus: Bool, to text: inout [UInt8]
    ) throws(EvaluationError) {
        var value: [UInt8] = []
        for field in fields {
            value.removeAll(keepingCapacity: true)
            try field.value.append(to: &value, scope)
            PairText.append(name: field.name.span, value: value.span, spaceIsPlus: spaceIsPlus, to: &text)
        }
    }

    private func append(
        _ shape: LoginStep.JSONShape, _ scope: ExchangeScope, to json: inout [UInt8]
    ) throws(EvaluationError) {
        switch shape {
        case .value(let template):
            let value = try template.evaluate(scope)
            value.appendJSON(to: &json)
        case .literal(let bytes): json.append(contentsOf: bytes)
        case .array(let elements):
            json.append(0x5B)
            for index in elements.indices {
                if index > 0 { json.append(0x2C) }
                try append(elements[index], scope, to: &json)
            }
            json.append(0x5D)
        case .object(let members):
            json.append(0x7B)
            for index in members.indices {
                if index > 0 { json.append(0x2C) }
                json.append(0x22)
                let key = members[index].key
                JSONText.appendEscaped(key.span, to: &json)
                json.append(contentsOf: [0x22, 0x3A])
                try append(members[index].value, scope, to: &json)
            }
            json.append(0x7D)
        }
    }

    /// Judges the answer of the current step: refused, then success, then captures.
    package mutating func answered(
        _ head: UpstreamHead, body: [UInt8], _ scope: ExchangeScope, wall: Int64
    ) -> Verdict {
        do {
            try judge(head, body, scope)
        } catch {
            return error.kind == .loginRefused ? .refused(error) : .failed(error)
        }
        guard step == plan.login.count else { return .next }
        return .succeeded(CredentialExpiry.grant(captures: captures.values, names: plan.captureNames, wall: wall))
    }

    private var place: String { plan.login.count > 1 ? "step \(step + 1)" : "login" }

    private mutating func judge(
        _ head: UpstreamHead, _ body: [UInt8], _ scope: ExchangeScope
    ) throws(GatewayError) {
        let recipe = plan.login[step]
        let view = ResponseView(status: head.status, fields: head.fields, body: body)
        try view.narrow(by: nil)
        scope.response = view
        scope.session = captures
        if holds(recipe.refused, scope) == true {
            throw GatewayError(.loginRefused, detail: "\(place): the upstream refused the credentials")
        }
        guard holds(recipe.success, scope) ?? (200..<300 ~= head.status) else {
            // A captive portal or a broken page is not a session: nothing is stored.
            throw GatewayError(
                .loginUnavailable, detail: "\(place): the answer (status \(head.status)) is no success by the recipe")
        }
        for capture in recipe.captures {
            let value = try value(of: capture, scope)
            captures.set(value, at: capture.slot)
        }
        step += 1
    }

    private func value(of capture: LoginStep.Capture, _ scope: ExchangeScope) throws(GatewayError) -> Value {
        do {
            return try capture.value.evaluate(scope)
        } catch {
            throw GatewayError(.badAnswer, detail: "\(place), capture \(plan.captureNames[capture.slot]): \(error)")
        }
    }

    private func holds(_ predicate: Expression?, _ scope: ExchangeScope) -> Bool? {
        predicate?.holds(scope)
    }
}
