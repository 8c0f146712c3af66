package import Cryptography
package import Expressions

/// The names that expressions may use, and where each is found. One list for all kinds of expression, so that a name has
/// the same slot everywhere; a kind hides the names that mean nothing to it.
package enum ScopeSlot: Int, CaseIterable, Sendable {
    case request, response, status, headers, json, text, xml, session, secret, vars, now, device, nonce
    case ok, code, message, data, kind, detail, retryAfter
    /// What a transform is applied to.
    case value
    case cookies
}

/// Makes the scope of each kind of expression from the names that the config declares.
package struct Scopes: Sendable {
    private let secrets: ObjectType
    private let functions: FunctionTable
    /// Names that `request.params` may have; `nil`: any.
    private let parameters: [String]?
    private let known: [Secret?]

    /// `secretNames` in the order of `GatewayPlan.secrets`.
    /// - Parameters:
    ///   - parameters: names of path segments in all routes, for recipes that several of them may use.
    ///   - known: values of secrets, where they could be read: what an expression does with a secret that can never work
    ///     (a key that is none) shows when it is checked.
    package init(
        secretNames: [String], functions: FunctionTable = .standard, parameters: [String]? = nil,
        known: [String: Secret] = [:]
    ) {
        self.functions = functions
        self.parameters = parameters
        self.known = secretNames.map { known[$0] }
        secrets = ObjectType(name: "secret", members: secretNames.map { ($0, .string) })
    }

    /// Over a request before it is sent: rewrites, attached fields, signatures. `captures` are the session's,
    /// `variables` the signature's that stand above, `parameters` the names of segments in the path of the one route that
    /// it is for, `partial` those whose members differ from one use of the same recipe to the next (`ObjectType.isPartial`).
    package func request(
        captures: [String] = [], variables: [String] = [], parameters: [String]? = nil, partial: Set<ScopeSlot> = []
    ) -> Scope {
        scope(captures, variables, parameters, partial, showing: Self.overRequest)
    }

    /// Over one field of a request that is brought into another shape: what a rewrite knows, and `value`.
    package func transform(captures: [String] = [], parameters: [String]? = nil) -> Scope {
        scope(captures, [], parameters, [], showing: Self.overRequest.union([.value]))
    }

    static let overRequest: Set<ScopeSlot> = [
        .request, .session, .secret, .vars, .now, .device, .nonce, .cookies,
    ]

    /// Over an answer: expiry, success, captures, envelopes. `variables` are those of the login step or of the signature
    /// that its request was made with; `nil`: it is not known which.
    package func response(
        captures: [String] = [], variables: [String]? = nil, partial: Set<ScopeSlot> = []
    ) -> Scope {
        scope(
            captures, variables ?? [], nil, partial,
            showing: variables == nil ? Self.overAnswer : Self.overAnswer.union([.vars]))
    }

    static let overAnswer: Set<ScopeSlot> = [
        .request, .response, .status, .headers, .json, .text, .xml, .session, .secret, .now, .device, .nonce, .cookies,
    ]

    /// Over a normalized message: how an envelope is rendered for the client that sent `request`.
    package func render() -> Scope {
        scope([], [], nil, [], showing: Self.overMessage)
    }

    static let overMessage: Set<ScopeSlot> = [
        .request, .ok, .code, .message, .data, .kind, .detail, .retryAfter, .status, .now,
    ]

    private func scope(
        _ captures: [String], _ variables: [String], _ parameters: [String]?, _ partial: Set<ScopeSlot>,
        showing: Set<ScopeSlot>
    ) -> Scope {
        let session = ObjectType(
            name: "session", members: captures.map { ($0, .dyn) }, isPartial: partial.contains(.session))
        let vars = ObjectType(name: "vars", members: variables.map { ($0, .dyn) }, isPartial: partial.contains(.vars))
        return Scope(
            names: ScopeSlot.allCases.map { slot in
                guard showing.contains(slot) else { return ("", .dyn) }
                return Self.declaration(slot, session: session, secrets: secrets, vars: vars)
            }, functions: functions,
            keys: (parameters ?? self.parameters).map { ["request.params": $0] } ?? [:],
            known: { [known] name, member in
                guard name == ScopeSlot.secret.rawValue, known.indices.contains(member) else { return nil }
                return known[member].map { .text($0.unsealed) }
            })
    }

    static func declaration(
        _ slot: ScopeSlot, session: ObjectType, secrets: ObjectType, vars: ObjectType
    ) -> (name: String, type: StaticType) {
        switch slot {
        case .request: ("request", .object(RequestDraft.type))
        case .response: ("response", .object(ResponseView.type))
        case .status: ("status", .int)
        case .headers: ("headers", .pairs)
        case .json: ("json", .dyn)
        case .text: ("text", .string)
        case .xml: ("xml", .dyn)
        case .session: ("session", .object(session))
        case .secret: ("secret", .object(secrets))
        case .vars: ("vars", .object(vars))
        case .now: ("now", .timestamp)
        case .device: ("device", .string)
        case .nonce: ("nonce", .string)
        case .cookies: ("cookies", .pairs)
        case .ok: ("ok", .bool)
        case .code: ("code", .optional(.dyn))
        case .message: ("message", .string)
        case .data: ("data", .dyn)
        case .kind: ("kind", .string)
        case .detail: ("detail", .string)
        case .retryAfter: ("retry_after", .optional(.int))
        case .value: ("value", .dyn)
        }
    }
}

extension Scope {
    /// Variables whose values need no request, in order; `nil`: it does.
    package func knowing(variables: [Constant?]) -> Scope { knowing(ScopeSlot.vars.rawValue, variables) }
}
