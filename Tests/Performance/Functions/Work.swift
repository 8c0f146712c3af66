import Bytes
import Configuration
import Domain
import Expressions

/// What the gateway does for one request, without the wire: on the plan that the config gives, in the objects that an
/// exchange uses.
struct Work {
    private enum Kind: String { case signature, signature_php, expiry, sigv4 }

    private let kind: Kind
    private let plan: GatewayPlan
    private let scope: ExchangeScope
    private let fields: PairBlock
    private let signatures: [SignaturePlan]

    /// `nil` for another name, and for a config that does not load.
    init?(_ name: String, config: String) {
        guard let kind = Kind(rawValue: name),
            case .plan(let plan, _) = ConfigLoader(environment: [:]).load(path: config)
        else { return nil }
        self.kind = kind
        self.plan = plan
        signatures = plan.routes.first { $0.name == "/\(name)" }?.signatures ?? []
        var fields = PairBlock()
        let media = kind == .expiry ? "application/json; charset=utf-8" : "application/x-www-form-urlencoded"
        for (name, value) in [("Content-Type", media), ("X-Request-Id", "0123456789abcdef"), ("Accept", "*/*")] {
            fields.append(name: Array(name.utf8), value: Array(value.utf8))
        }
        self.fields = fields
        scope = ExchangeScope(
            request: RequestDraft(
                method: Array((kind == .sigv4 ? "GET" : "POST").utf8), path: Array("/index.php".utf8), query: nil,
                fields: fields, content: .none, host: Array("shop.test".utf8), remote: []),
            now: (1_492_495_675, 0), surroundings: Surroundings(secrets: plan.secrets, device: []))
    }

    func run(_ input: [UInt8]) -> [UInt8] {
        switch kind {
        case .signature, .signature_php: signed(input)
        case .expiry: expired(input)
        case .sigv4: authorized(input)
        }
    }

    /// From the form as it came to the form as it goes.
    private func signed(_ form: [UInt8]) -> [UInt8] {
        scope.request.content = .held(form)
        guard (try? Signer.sign(scope.request, with: signatures, scope)) != nil,
            case .held(let body) = scope.request.content
        else { return [] }
        return body
    }

    private func expired(_ answer: [UInt8]) -> [UInt8] {
        scope.response = ResponseView(status: 200, fields: fields, body: answer)
        let isExpired = plan.sessions[0].expired?.holds(scope) ?? false
        return isExpired ? [0x31] : [0x30]
    }

    /// The value of `Authorization` for a request with this query.
    private func authorized(_ query: [UInt8]) -> [UInt8] {
        scope.request.query = query
        scope.request.fields = fields
        guard (try? Signer.sign(scope.request, with: signatures, scope)) != nil else { return [] }
        return Array(scope.request.fields.first("authorization", folding: true) ?? [])
    }
}
