extension GatewayError {
    /// A transfer that ended without a whole answer. `detail` begins with the phase, so that a connect timeout and a
    /// silent upstream (both `timeout`) can be told apart.
    package init(_ failure: TransferFailure) {
        let (kind, phase): (Kind, StaticString) =
            switch failure.kind {
            case .unreachable: (.offline, "connect")
            case .dns: (.dns, "resolve")
            case .refused: (.refused, "connect")
            case .connectTimeout: (.timeout, "connect")
            case .firstByteTimeout: (.timeout, "response")
            case .idleTimeout: (.timeout, "idle")
            case .totalTimeout: (.timeout, "total")
            case .reset: (.connectionLost, "response")
            case .tls: (.tls, "tls")
            // A proxy that is away is the way to the upstream that is away, not a refused port of the upstream.
            case .proxy: (.offline, "proxy")
            case .malformedAnswer: (.badAnswer, "answer")
            case .overloaded: (.overloaded, "queue")
            case .local: (.internal, "transfer")
            }
        self.init(
            kind, detail: failure.detail.isEmpty ? "\(phase)" : "\(phase): \(failure.detail)",
            retry: Self.retry(after: failure), isConnectPhase: Self.isConnectPhase(failure.kind))
    }

    /// The same failure, met by a login: the client did nothing wrong and no password was refused, so the transport's
    /// own kinds stay (the offline text is the true one) and all else becomes `login_unavailable` (peers 22).
    /// A refusal stays a refusal.
    package var whileLoggingIn: GatewayError {
        if kind == .loginRequired { return self }
        if kind.isTransport || kind == .loginRefused || kind == .loginUnavailable || kind == .internal {
            var copy = self
            copy.retry = .never
            if !copy.detail.hasPrefix("login: ") { copy.detail = "login: \(detail)" }
            return copy
        }
        return GatewayError(.loginUnavailable, detail: "login: \(detail)", retryAfter: retryAfter)
    }

    /// A request that HTTP's rules or our limits refuse before it means anything. The status is kept; the kind is the
    /// nearest of the closed set.
    package init(refusedWith status: Int, detail: String, closesConnection: Bool) {
        let kind: Kind =
            switch status {
            case 413, 414, 431: .tooLarge
            case 403, 421: .forbidden
            case 404: .notFound
            default: .badRequest
            }
        self.init(kind, detail: detail, status: status, closesConnection: closesConnection)
    }

    /// 405: the path is known, the method is not (RFC 9110 15.5.6 wants `Allow`).
    package static func methodNotAllowed(allow: [UInt8]) -> GatewayError {
        GatewayError(.badRequest, detail: "method not allowed here", status: 405, allow: allow)
    }

    private static func retry(after failure: TransferFailure) -> Retry {
        switch failure.kind {
        case _ where failure.isUnprocessed: .safe
        case .tls, .malformedAnswer, .local: .never
        case .overloaded: .safe
        case .unreachable, .dns, .refused, .connectTimeout, .firstByteTimeout, .idleTimeout, .totalTimeout, .reset,
            .proxy:
            failure.requestSent ? .idempotentOnly : .safe
        }
    }

    private static func isConnectPhase(_ kind: TransferFailure.Kind) -> Bool {
        switch kind {
        case .unreachable, .dns, .refused, .connectTimeout, .proxy: true
        case .firstByteTimeout, .idleTimeout, .totalTimeout, .reset, .tls, .malformedAnswer,
            .overloaded, .local:
            false
        }
    }
}
