/// Why the gateway itself answers instead of the upstream. Where it arose and whether another try can help travel with
/// the value, so that nobody guesses them later from a status code.
package struct GatewayError: Error, Sendable, Equatable {
    /// Which side is at fault.
    package enum Origin: String, Sendable, CaseIterable {
        /// The client: its request is refused.
        case downstream
        /// The upstream, its login service, or the way there.
        case upstream
        /// This process: a cap, its config, or a bug.
        case gateway
    }

    /// What may be tried again, decided where the failure is known best.
    package enum Retry: String, Sendable, CaseIterable {
        /// The same request fails again, or has been executed already.
        case never
        /// Only a request that may be executed twice (RFC 9110 9.2.2).
        case idempotentOnly
        /// No byte of the request left: any request.
        case safe
    }

    package var kind: Kind
    package var origin: Origin
    package var retry: Retry
    /// For operators and clients, English: no secret, no header value, no body byte.
    package var detail: String
    /// What the upstream's answer to a login said, for operators alone: `AnswerOutline.verdict`.
    package var answer: String?
    /// Nanoseconds until another try makes sense; `nil` when unknown.
    package var retryAfter: UInt64?
    /// Status that a refused request keeps when it is finer than the kind's own: 405, 408, 414, 417, 421, 429, 431, 501, 505.
    package var status: Int?
    /// The failure happened before a connection stood; tells the two timeouts of RFC 9209 apart.
    package var isConnectPhase: Bool
    /// The connection cannot carry another request: its framing is lost or its body was not read.
    package var closesConnection: Bool
    /// Value of `Allow`, for 405 only.
    package var allow: [UInt8]?

    package init(
        _ kind: Kind, detail: String, origin: Origin? = nil, retry: Retry = .never, retryAfter: UInt64? = nil,
        status: Int? = nil, isConnectPhase: Bool = false, closesConnection: Bool = false, allow: [UInt8]? = nil
    ) {
        self.kind = kind
        self.origin = origin ?? kind.usualOrigin
        self.retry = retry
        self.detail = detail
        self.retryAfter = retryAfter
        self.status = status
        self.isConnectPhase = isConnectPhase
        self.closesConnection = closesConnection
        self.allow = allow
    }

    /// Whole seconds for `Retry-After` and for `retryAfter` in JSON: rounded up and never 0, since a client that takes
    /// 0 at its word comes back at once.
    package var retryAfterSeconds: UInt64? {
        retryAfter.map { Swift.max(1, $0 / 1_000_000_000 + ($0 % 1_000_000_000 == 0 ? 0 : 1)) }
    }

    /// The same cause, told to somebody else at another time (a remembered failure).
    package func withRetryAfter(_ nanoseconds: UInt64?) -> GatewayError {
        var copy = self
        copy.retryAfter = nanoseconds
        return copy
    }
}
