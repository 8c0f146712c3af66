/// Every error as a row: the manual's page "Every error" is generated from it and compared in CI.
package enum ErrorCatalogue {
    /// One kind of error, as the manual's page and the tests see it.
    package struct Row: Sendable, Equatable {
        /// As it stands in an answer's `error.kind`.
        package var kind: String
        package var status: Int
        /// `Proxy-Status` error type (RFC 9209).
        package var proxyError: String
        /// Whether `Retry-After` is sent, in words.
        package var retryAfter: String
        package var closesConnection: Bool
        /// Level of its line in the operator's log.
        package var logLevel: String
        package var english: String
        package var chinese: String
        package var meaning: String
    }

    /// In the order of `GatewayError.Kind`.
    package static var rows: [Row] {
        GatewayError.Kind.allCases.map { kind in
            let row = ErrorResponse.Row.of(kind)
            let retry =
                switch row.retry {
                case .never: "never"
                case .whenKnown: "when known"
                case .always(let seconds): "always (\(seconds) s when unknown)"
                }
            return Row(
                kind: kind.rawValue, status: row.status,
                proxyError: row.connectPhase.map { "\(row.proxyError), \($0)" } ?? "\(row.proxyError)",
                retryAfter: retry, closesConnection: row.closes, logLevel: "\(row.level)",
                english: ErrorTexts.builtIn(kind, .english), chinese: ErrorTexts.builtIn(kind, .simplifiedChinese),
                meaning: meaning(kind))
        }
    }

    /// The page as a Markdown table.
    package static var markdown: String {
        var page = "| kind | status | Proxy-Status | Retry-After | closes | log | meaning | en | zh-Hans |\n"
        page += "|---|---|---|---|---|---|---|---|---|\n"
        for row in rows {
            let cells = [
                "`\(row.kind)`", "\(row.status)", row.proxyError, row.retryAfter, row.closesConnection ? "yes" : "no",
                row.logLevel, row.meaning, row.english, row.chinese,
            ]
            page += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return page
    }

    private static func meaning(_ kind: GatewayError.Kind) -> String {
        switch kind {
        case .offline: "The upstream cannot be reached: no network, no route, or its breaker is open."
        case .dns: "The upstream's name has no address."
        case .refused: "The upstream's host refused the connection."
        case .connectionLost: "The connection ended before the answer was complete."
        case .tls: "The secure connection failed: certificate, name, pin or protocol."
        case .timeout: "No connection, no answer or no progress in time; `detail` says which."
        case .badAnswer: "The answer breaks HTTP's rules, our limits, or its declared envelope."
        case .upstreamError: "The upstream answered with an error that the route replaces."
        case .loginRequired: "The route wants a session and there is none that the gateway could gain."
        case .loginRefused: "The upstream refused the credentials: no further try until an operator or the config acts."
        case .loginUnavailable: "A login failed, or too many were tried: the next one comes after a pause."
        case .sessionPending: "A login is under way and did not end in time, or too many requests wait for it."
        case .sessionTaken: "The session was ended by a login elsewhere."
        case .overloaded: "A cap of the gateway or of the upstream's queue is reached."
        case .badRequest: "The request breaks HTTP's rules; finer statuses (405, 408, 417, 501, 505) are kept."
        case .tooLarge: "The request is over a limit: 413 body, 414 target, 431 head."
        case .notFound: "No route matches."
        case .forbidden: "Host (421), browser origin or address is not allowed."
        case .internal: "A bug, or an expression of the config that failed."
        }
    }
}
