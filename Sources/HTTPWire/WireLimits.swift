/// What one message may cost, and what it may ask for, before it is refused. Bytes, except the two field counts. Values are checked by the
/// configuration; a limit of zero refuses everything it bounds.
package struct WireLimits: Sendable, Equatable {
    /// Request line with its CRLF. Default 8 KiB; above: 414.
    package var requestLine = 8192
    /// Whole head, from the first byte of the request line to the empty line. Default 32 KiB; above: 431.
    package var head = 32_768
    /// Field lines of a head, dropped ones included. Default 100; above: 431.
    package var fields = 100
    /// One field name. Default 256; above: 431.
    package var nameBytes = 256
    /// One chunk-size line with its CRLF. Default 256; above: 400 (CVE-2024-22019: endless extensions).
    package var chunkLine = 256
    /// Chunk extensions of one message. Default 16 KiB; above: 400 (CVE-2023-39326).
    package var chunkExtensions = 16_384
    /// Trailer section of one message. Default 16 KiB; above: 431.
    package var trailerBytes = 16_384
    /// Trailer field lines of one message. Default 100; above: 431.
    package var trailerFields = 100

    /// Methods that are forwarded besides `RequestMethod.common`; all others: 501.
    package var extensionMethods: [[UInt8]] = []

    package init() {}

    /// The same limits within 0 to 1 GiB: offsets have 32 bits, and sums of a limit and an offset must not overflow.
    var clamped: WireLimits {
        func clamp(_ value: Int) -> Int { min(max(value, 0), 1 << 30) }
        var limits = self
        limits.requestLine = clamp(requestLine)
        limits.head = clamp(head)
        limits.nameBytes = clamp(nameBytes)
        return limits
    }
}
