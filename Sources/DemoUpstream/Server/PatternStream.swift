import Bytes
import HTTPWire

/// The endless download: the byte at offset k is k % 251 (a prime, so that a lost or doubled block of any usual size
/// shows). Holds a position, not the bytes.
struct PatternStream {
    /// A multiple of 251, so that every block begins anew.
    private static let block: [UInt8] = (0..<251 * 64).map { UInt8($0 % 251) }

    private(set) var remaining: UInt64
    private var offset = 0
    let isChunked: Bool
    private var owesLastChunk: Bool

    init(count: UInt64, chunked: Bool) {
        remaining = count
        isChunked = chunked
        owesLastChunk = chunked
    }

    var isFinished: Bool { remaining == 0 && !owesLastChunk }

    /// Lends the next bytes; the body says how many it could use. For plain bodies.
    mutating func lend<Result>(_ body: (Span<UInt8>) -> (Result, used: Int)) -> Result {
        let end = Int(min(UInt64(Self.block.count - offset), remaining)) + offset
        let block = Self.block
        let (result, used) = body(block.span.extracting(offset..<end))
        offset = (offset + used) % 251
        remaining -= UInt64(used)
        return result
    }

    /// Appends one more chunk, or the last one.
    mutating func appendChunk(to output: inout [UInt8]) {
        if remaining == 0 {
            ChunkedEncoder.appendLastChunk(to: &output)
            owesLastChunk = false
        } else {
            lend { bytes in
                ChunkedEncoder.appendChunk(bytes, to: &output)
                return ((), used: bytes.count)
            }
        }
    }
}
