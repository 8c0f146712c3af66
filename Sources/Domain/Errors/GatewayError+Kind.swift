extension GatewayError {
    /// The kinds that a client can meet; the raw word is `kind` in JSON, the key in `texts:` and a metric label.
    package enum Kind: String, Sendable, CaseIterable {
        case offline
        case dns
        case refused
        case connectionLost = "connection_lost"
        case tls
        case timeout
        case badAnswer = "bad_answer"
        case upstreamError = "upstream_error"
        case loginRequired = "login_required"
        case loginRefused = "login_refused"
        case loginUnavailable = "login_unavailable"
        case sessionPending = "session_pending"
        case sessionTaken = "session_taken"
        case overloaded
        case badRequest = "bad_request"
        case tooLarge = "too_large"
        case notFound = "not_found"
        case forbidden
        case `internal`

        /// Who is at fault when nobody says otherwise.
        package var usualOrigin: Origin {
            switch self {
            case .offline, .dns, .refused, .connectionLost, .tls, .timeout, .badAnswer, .upstreamError,
                .loginRefused, .loginUnavailable, .sessionTaken:
                .upstream
            case .loginRequired, .badRequest, .tooLarge, .notFound, .forbidden: .downstream
            case .sessionPending, .overloaded, .internal: .gateway
            }
        }

        /// The upstream, or the way to it, is at fault, so that a login that fails with it says nothing about the
        /// password (peers 22: never 401 for these).
        package var isTransport: Bool {
            switch self {
            case .offline, .dns, .refused, .connectionLost, .tls, .timeout: true
            case .badAnswer, .upstreamError, .loginRequired, .loginRefused, .loginUnavailable, .sessionPending,
                .sessionTaken, .overloaded, .badRequest, .tooLarge, .notFound, .forbidden, .internal:
                false
            }
        }
    }
}
