/// One finished request, as far as it may be logged. There is no field for a header value, a body, a query value or a
/// secret: what is not here cannot leak.
package struct AccessRecord: Sendable {
    /// When the request line arrived, nanoseconds since 1970.
    package var unixNanoseconds: UInt64
    /// The exchange's own id, never one that a peer chose.
    package var id: [UInt8]
    /// Address of the peer.
    package var remote: [UInt8]
    package var method: ArraySlice<UInt8>
    package var target: AccessTarget
    /// Configured names; empty when the request got no further.
    package var route: [UInt8] = []
    package var upstream: [UInt8] = []
    package var session: [UInt8] = []
    /// Status sent downstream; 0 when nothing was sent.
    package var status = 0
    /// Status of the last upstream answer; 0 when there was none.
    package var upstreamStatus = 0
    /// How the exchange ended.
    package var outcome: LogWord
    /// Kind of the error, if one.
    package var error: LogWord?
    /// Body bytes received from and sent to the client.
    package var bytesIn: UInt64 = 0
    package var bytesOut: UInt64 = 0
    /// From the request's first byte to the answer's last, nanoseconds.
    package var duration: UInt64 = 0
    /// Time spent waiting for the upstream, all attempts together, nanoseconds.
    package var upstreamDuration: UInt64 = 0
    /// Requests sent upstream.
    package var attempts = 0
    /// The request was sent again after a new login.
    package var isReplayed = false
    /// Why it was not sent again: after a refused session, after a lost connection.
    package var notReplayed: LogWord?
    package var notRetried: LogWord?

    package init(
        unixNanoseconds: UInt64, id: [UInt8], remote: [UInt8], method: ArraySlice<UInt8>, target: AccessTarget,
        outcome: LogWord
    ) {
        self.unixNanoseconds = unixNanoseconds
        self.id = id
        self.remote = remote
        self.method = method
        self.target = target
        self.outcome = outcome
    }
}
