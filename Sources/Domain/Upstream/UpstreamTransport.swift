package import Bytes
import HTTPWire

/// A frozen request: nothing edits it after it was signed. What is here is what goes onto the wire, byte for byte.
package struct UpstreamRequest {
    package enum Body {
        case none
        case bytes([UInt8])
        /// Pulled through `TransferDelegate.transferNeedsBody`; `count` sets Content-Length, `nil` means chunked.
        case stream(count: UInt64?)
    }

    package var method: [UInt8]
    /// Origin-form target, starts with `/`; includes the upstream's base path and the query.
    package var target: [UInt8]
    /// Every field of the head except `Host`, `Content-Length` and `Transfer-Encoding`, which follow from the upstream,
    /// `host` and `body`.
    package var fields: PairBlock
    /// `Host` field when it is not the upstream's own authority.
    package var host: [UInt8]?
    package var body: Body
    /// Safe to send twice (RFC 9110 9.2.2): it may go out on a pooled connection that has rested so long that the upstream
    /// may be closing it. A transport sends nothing twice by itself: whoever made the request signs it anew.
    package var isIdempotent: Bool
    /// Not on a pooled connection, which may be dead: for logins, trials, and after a transfer that failed.
    package var wantsFreshConnection: Bool

    package init(
        method: [UInt8], target: [UInt8], fields: PairBlock, host: [UInt8]? = nil, body: Body, isIdempotent: Bool,
        wantsFreshConnection: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.host = host
        self.body = body
        self.isIdempotent = isIdempotent
        self.wantsFreshConnection = wantsFreshConnection
    }

    /// Its answer has no body, whatever the answer's fields say.
    package var isHead: Bool { method == [0x48, 0x45, 0x41, 0x44] }

    /// POST, PUT and PATCH without content still say `Content-Length: 0` (RFC 9110 8.6).
    package var expectsContent: Bool {
        method == [0x50, 0x4F, 0x53, 0x54] || method == [0x50, 0x55, 0x54] || method == [0x50, 0x41, 0x54, 0x43, 0x48]
    }
}

/// Head of a final answer, checked: status 200 to 999, framing unambiguous, names are tokens, values hold no control bytes.
package struct UpstreamHead {
    package var status: Int
    package var fields: PairBlock
    /// Body length when the answer declares it; `nil` for chunked and close-delimited.
    package var contentLength: UInt64?
    /// The upstream's own words behind the status; `nil`: the usual ones. HTTP/2 has none.
    package var reason: [UInt8]?
    package init(status: Int, fields: PairBlock, contentLength: UInt64?, reason: [UInt8]? = nil) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.contentLength = contentLength
    }

    /// What stands behind the status, else the usual words; empty for a status that has none.
    package var phrase: [UInt8] { reason.flatMap { $0.isEmpty ? nil : $0 } ?? StatusPhrase.of(status).bytes }
}

/// Receives the events of one transfer, on the loop. After `transferCompleted` or `transferFailed` nothing more comes.
/// Calls may start new transfers and may cancel any; the transport is never inside libcurl when it calls a delegate's
/// completion.
package protocol TransferDelegate: AnyObject {
    /// The final head. Interim answers are consumed by the transport.
    func transferReceivedHead(_ head: UpstreamHead)
    /// A piece of the body. `.pause`: no more pieces come until `resume()`; the piece itself was taken. The end (either kind)
    /// may still come, when this was the last piece.
    func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow
    /// The next piece of a `.stream` body: append at most `limit` bytes and say what happened.
    func transferNeedsBody(into buffer: inout [UInt8], limit: Int) -> BodySupply
    func transferCompleted()
    func transferFailed(_ failure: TransferFailure)
}

package enum TransferFlow: Sendable { case proceed, pause }

package enum BodySupply: Sendable {
    /// Something was appended.
    case more
    /// Nothing yet: `bodyAvailable()` will be called.
    case wait
    /// The body is complete (bytes may have been appended too).
    case end
    /// The client went away: fail the transfer.
    case abort
}

package protocol UpstreamTransfer: AnyObject {
    /// A `.stream` body that answered `.wait` has bytes again.
    func bodyAvailable()
    /// Ends a `.pause`.
    func resume()
    /// Ends the transfer without another call to the delegate.
    func cancel()
}

package struct TransportGauges: Sendable {
    package var inFlight = 0
    package var connectionsOpened: UInt64 = 0
    /// Idle connections that the upstream closed, and those of them (not counted above) on which it sent bytes unasked.
    package var idleClosed: UInt64 = 0
    package var unsolicited: UInt64 = 0
    /// Pooled connections found unfit when a request was about to use them, or dropped because one beside them was dead.
    package var staleConnections: UInt64 = 0
    /// Times a name's last address was used because the name service failed.
    package var addressesKept: UInt64 = 0
    package var transfers: UInt64 = 0
    package init() {}
}

/// One upstream's connections. Another transport may stand in for libcurl without a change elsewhere.
package protocol UpstreamTransport: AnyObject {
    /// Starts a transfer; the delegate is held until the end. Never calls the delegate before it returned.
    func start(_ request: UpstreamRequest, delegate: any TransferDelegate) -> any UpstreamTransfer
    var gauges: TransportGauges { get }
    /// Other limits and timeouts on the same way (`UpstreamPlan.way`), for what starts from now on.
    func planChanged(_ plan: UpstreamPlan)
    /// Closes idle connections and refuses nothing: transfers under way go on.
    func retire()
}
