import Glibc

/// Why a transfer ended without a whole answer.
package struct TransferFailure: Error, Equatable, Sendable {
    package enum Kind: Sendable, CaseIterable {
        /// No route or no network: ENETUNREACH, EHOSTUNREACH, ENETDOWN.
        case unreachable
        case dns
        case refused
        case connectTimeout
        /// The head did not arrive in time, or the transfer stalled, or the total deadline passed.
        case firstByteTimeout, idleTimeout, totalTimeout
        /// The connection ended before the answer was complete.
        case reset
        case tls
        case proxy
        /// The answer breaks the rules of HTTP, or one of our limits for answers.
        case malformedAnswer
        /// Too many requests wait for this upstream already, or this one waited too long. Nothing was sent.
        case overloaded
        /// The delegate refused to go on (its body failed) or the transport itself failed.
        case local
    }
    package var kind: Kind
    /// False only when it is certain that no byte of the request left.
    package var requestSent: Bool
    package var connectionReused: Bool
    /// Nanoseconds that a reused connection had rested before it got this request; 0 for a fresh one.
    package var connectionRested: UInt64
    /// The upstream said that it did nothing with the request (RFC 9113 6.8, 8.7): any may be sent again.
    package var isUnprocessed = false
    /// For operators; holds no header value, no body byte and no secret.
    package var detail: String

    package init(
        kind: Kind, requestSent: Bool, connectionReused: Bool, connectionRested: UInt64 = 0, detail: String
    ) {
        self.kind = kind
        self.requestSent = requestSent
        self.connectionReused = connectionReused
        self.connectionRested = connectionRested
        self.detail = detail
    }
}

extension TransferFailure.Kind {
    /// What a failed connect means, by its errno.
    package init(connecting code: Int32) {
        switch code {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: self = .unreachable
        case ETIMEDOUT: self = .connectTimeout
        // Ours, not the upstream's: no place for another connection.
        case EMFILE, ENFILE: self = .overloaded
        default: self = .refused
        }
    }
}
