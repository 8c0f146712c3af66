/// What a pooled connection that brought no byte of an answer says about the idle ones beside it. When a router forgot, a
/// host rebooted or this machine slept, all of them are dead, and each would cost a request: so they are dropped, but for
/// those that brought an answer since the request went out.
package enum SilentConnection {
    /// A client that leaves sooner says nothing.
    static let patience: UInt64 = 1_000_000_000

    /// - Parameters:
    ///   - kind: how the request failed; `nil` when it was given up.
    ///   - waited: nanoseconds since it went out.
    package static func speaksForOthers(_ kind: TransferFailure.Kind?, waited: UInt64) -> Bool {
        switch kind {
        case .reset, .firstByteTimeout, .idleTimeout, .totalTimeout: true
        case nil, .local: waited >= patience
        case .unreachable, .dns, .refused, .connectTimeout, .tls, .proxy, .malformedAnswer, .overloaded: false
        }
    }
}
