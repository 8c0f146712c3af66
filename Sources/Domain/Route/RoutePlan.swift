package import Expressions
package import HTTPWire

/// One route, checked. `upstream`, `session` are indices into the plan's arrays; recipes are shared objects.
package struct RoutePlan: Sendable {
    /// Whether a request waits for a session, takes one that is there, or goes without.
    package enum LoginRule: Sendable { case required, optional, never }

    /// For logs and metrics: the pattern as written.
    package var name: String
    package var pattern: PathPattern
    /// Empty: the common methods.
    package var methods: [RequestMethod]
    /// Empty: every allowed host.
    package var hosts: [String]
    /// Position among the plan's upstreams.
    package var upstream: Int
    /// `nil`: the request's own path.
    package var rewrite: Template?
    /// Position among the plan's sessions; `nil`: none.
    package var session: Int?
    package var login: LoginRule
    /// False: an expired session is the client's business (`relogin: false`).
    package var relogin: Bool
    /// In the order in which they are applied: a later one sees what an earlier one attached.
    package var signatures: [SignaturePlan]
    package var attach: AttachPlan
    /// What the request looks like upstream; `nil`: as the client sent it.
    package var shape: ShapePlan?
    package var envelope: EnvelopeRule?
    /// By which the tests of the session read answers, where it names one.
    package var sessionEnvelope: EnvelopePlan?
    package var limits: RouteLimits
    /// Client fields with `_` in their names pass; otherwise they are dropped.
    package var keepsUnderscores: Bool
    /// A `Location` at the upstream's own origin is told as one at the gateway.
    package var rewritesLocation = true

    package init(name: String, pattern: PathPattern, upstream: Int) {
        self.name = name
        self.pattern = pattern
        self.upstream = upstream
        methods = []
        hosts = []
        login = .required
        relogin = true
        signatures = []
        attach = AttachPlan()
        limits = RouteLimits()
        keepsUnderscores = false
    }

    /// Envelopes that say whether an answer is the upstream's own, each once.
    package var verifying: [EnvelopePlan] {
        let own = envelope?.from
        let others = sessionEnvelope === own ? [own] : [own, sessionEnvelope]
        return others.compactMap { $0?.verify == nil ? nil : $0 }
    }
}

/// `/api/*/items/**`: literal segments, `*` or `{name}` for one segment, `**` for the rest (last only).
package struct PathPattern: Sendable, Equatable {
    package enum Segment: Sendable, Equatable {
        case literal([UInt8])
        case any
        case rest
    }
    /// A segment with a name, `{name}`.
    package struct Parameter: Sendable, Equatable {
        /// Position among the segments.
        package var segment: Int
        package var name: [UInt8]
    }
    package var segments: [Segment]
    /// In order.
    package var parameters: [Parameter]
    package init(segments: [Segment], parameters: [Parameter] = []) {
        self.segments = segments
        self.parameters = parameters
    }
}
