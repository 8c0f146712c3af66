/// What a kind of error looks like on the wire and in the log. One switch, so that a new kind cannot be forgotten and a
/// status code is chosen nowhere else.
package struct ErrorResponse: Sendable {
    /// When `Retry-After` is sent.
    package enum RetryRule: Sendable, Equatable {
        case never
        /// Only when the error knows a time.
        case whenKnown
        /// Always; this many seconds when the error knows no time.
        case always(UInt64)
    }

    package var status: Int
    /// Error type of RFC 9209 2.3, for `Proxy-Status: countersign; error=...`.
    package var proxyError: StaticString
    /// Seconds for `Retry-After`; `nil`: the field is not sent.
    package var retryAfter: UInt64?
    /// The downstream connection ends after this answer.
    package var closesConnection: Bool
    package var logLevel: LogPlan.Level

    package init(_ error: GatewayError) {
        let row = Row.of(error.kind)
        status = error.status ?? row.status
        proxyError = error.isConnectPhase ? row.connectPhase ?? row.proxyError : row.proxyError
        closesConnection = row.closes || error.closesConnection
        logLevel = row.level
        retryAfter =
            switch row.retry {
            case .never: nil
            case .whenKnown: error.retryAfterSeconds
            case .always(let usual): error.retryAfterSeconds ?? usual
            }
    }

    /// One row of the table, before the single error has its say.
    package struct Row {
        package var status: Int
        package var proxyError: StaticString
        package var connectPhase: StaticString?
        package var retry: RetryRule
        package var closes: Bool
        package var level: LogPlan.Level

        private init(
            _ status: Int, _ proxyError: StaticString, connectPhase: StaticString? = nil, retry: RetryRule,
            closes: Bool = false, _ level: LogPlan.Level
        ) {
            self.status = status
            self.proxyError = proxyError
            self.connectPhase = connectPhase
            self.retry = retry
            self.closes = closes
            self.level = level
        }

        /// Levels: `error` = a request failed because of the upstream or of us; `warning` = somebody should look;
        /// `info`/`debug` = the client's business.
        package static func of(_ kind: GatewayError.Kind) -> Row {
            switch kind {
            case .offline: Row(503, "destination_unavailable", retry: .always(1), .error)
            case .dns: Row(502, "dns_error", retry: .whenKnown, .error)
            case .refused: Row(502, "connection_refused", retry: .whenKnown, .error)
            case .connectionLost: Row(502, "connection_terminated", retry: .whenKnown, .error)
            case .tls: Row(502, "tls_protocol_error", retry: .never, .error)
            case .timeout:
                Row(504, "http_response_timeout", connectPhase: "connection_timeout", retry: .whenKnown, .error)
            case .badAnswer: Row(502, "http_protocol_error", retry: .never, .error)
            case .upstreamError: Row(502, "http_protocol_error", retry: .whenKnown, .error)
            case .loginRequired: Row(401, "http_request_denied", retry: .never, .info)
            case .loginRefused: Row(401, "http_request_denied", retry: .never, .error)
            case .loginUnavailable: Row(503, "destination_unavailable", retry: .always(1), .error)
            case .sessionPending: Row(503, "destination_unavailable", retry: .always(1), .warning)
            case .sessionTaken: Row(401, "http_request_denied", retry: .never, .warning)
            case .overloaded: Row(503, "connection_limit_reached", retry: .always(1), .warning)
            case .badRequest: Row(400, "http_request_error", retry: .never, .debug)
            // The rest of the body was not read: the next request could not be found in it.
            case .tooLarge: Row(413, "http_request_error", retry: .never, closes: true, .info)
            case .notFound: Row(404, "http_request_error", retry: .never, .debug)
            case .forbidden: Row(403, "http_request_denied", retry: .never, .warning)
            case .internal: Row(500, "proxy_internal_error", retry: .never, .error)
            }
        }
    }
}
