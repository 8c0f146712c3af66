/// What a failed transfer says about reachability.
///
/// | failure before the head of an answer | evidence | why |
/// |---|---|---|
/// | unreachable, dns, refused, connectTimeout, proxy | unreachable | nobody took the connection |
/// | firstByteTimeout, idleTimeout, totalTimeout | unreachable | taken, but nobody answers |
/// | reset on a fresh connection | unreachable | taken, and dropped before an answer |
/// | reset on a reused connection | none | the usual end of an idle connection |
/// | tls | reachable | somebody answered the handshake: "offline" would hide a bad certificate |
/// | malformedAnswer | reachable | somebody answered, if badly |
/// | overloaded, local | none | our own doing, or the client's |
package enum ReachabilityEvidence: Sendable, Equatable {
    case reachable, unreachable, none

    package init(_ failure: TransferFailure) {
        switch failure.kind {
        case .unreachable, .dns, .refused, .connectTimeout, .proxy: self = .unreachable
        case .firstByteTimeout, .idleTimeout, .totalTimeout: self = .unreachable
        case .reset: self = failure.connectionReused ? .none : .unreachable
        case .tls, .malformedAnswer: self = .reachable
        case .overloaded, .local: self = .none
        }
    }
}
