import Domain

/// What an exchange came to: `Countersign-Outcome`, the access log and the request counter say it in one word.
enum Outcome: Int, CaseIterable {
    case forwarded, relogin, offline, refused, failed, local, clientLeft

    var word: StaticString {
        switch self {
        case .forwarded: "forwarded"
        case .relogin: "relogin"
        case .offline: "offline"
        case .refused: "refused"
        case .failed: "failed"
        case .local: "local"
        case .clientLeft: "client_left"
        }
    }

    private static let texts = allCases.map { Array("\($0.word)".utf8) }
    var bytes: [UInt8] { Self.texts[rawValue] }
}

/// Facts for the access log and the metrics. Holds no header value, no body, no query value.
struct ExchangeRecord {
    var outcome = Outcome.failed
    /// Why the upstream's refusal of the session was handed on; told in `Countersign-Replay`.
    var handedOn: ReplayLedger.Reason?
    /// Why a lost transfer was not tried once more; told in `Countersign-Retry`.
    var notRetried: RetryPolicy.Reason?
    /// The client's own dialect could not be rendered; told in `Countersign-Envelope`.
    var gaveWay = false
    var status = 0
    var upstreamStatus = 0
    var error: GatewayError?
    var upstreamDuration: UInt64 = 0
    var transportFailure: TransferFailure.Kind?
    var bytesIn: UInt64 = 0
    var bytesOut: UInt64 = 0
    var isAdmitted = false
    var closesAfter = false
    var sawExpiry = false
}

extension GatewayError {
    /// The word for an exchange that ends with this error.
    var outcome: Outcome {
        switch kind {
        case .offline, .dns, .refused, .connectionLost, .tls, .timeout: .offline
        case .badAnswer, .upstreamError, .internal, .loginUnavailable, .loginRefused, .sessionPending, .sessionTaken:
            .failed
        case .loginRequired, .overloaded, .badRequest, .tooLarge, .notFound, .forbidden: .refused
        }
    }

}
