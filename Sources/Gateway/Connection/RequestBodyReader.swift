import Bytes
import HTTPWire

/// Takes a request body off the wire by its framing alone (RFC 9112 6.3), whatever the method.
struct RequestBodyReader {
    enum Progress {
        /// `used` wire bytes were taken; the decoded bytes are in `decoded`.
        case piece(used: Int, isLast: Bool)
        case refused(WireRefusal)
    }

    private var decoded: [UInt8] = []
    private(set) var isComplete: Bool
    /// Known length; nil for chunked.
    let declared: UInt64?
    private var remaining: UInt64 = 0
    private var chunks: ChunkedDecoder?
    private let limits: WireLimits

    init(framing: BodyFraming, limits: WireLimits) {
        self.limits = limits
        switch framing {
        case .none:
            isComplete = true
            declared = 0
        case .length(let count):
            isComplete = count == 0
            remaining = count
            declared = count
        case .chunked:
            isComplete = false
            declared = nil
            chunks = ChunkedDecoder(limits: limits)
        }
    }

    /// The route's limit, known once the head has been looked at: a chunk beyond it is refused by its size line.
    mutating func limit(to bytes: UInt64) {
        if chunks != nil { chunks = ChunkedDecoder(limits: limits, bodyLimit: bytes) }
    }

    /// Bytes of the body that the client has told of so far; more may follow where it is chunked.
    var announced: UInt64 { chunks?.announcedCount ?? declared ?? 0 }

    /// What the last `read` decoded, if anything.
    mutating func takeDecoded() -> [UInt8]? {
        guard !decoded.isEmpty else { return nil }
        let piece = decoded
        decoded = []
        return piece
    }

    mutating func read(_ bytes: Span<UInt8>) -> Progress {
        guard chunks != nil else {
            let count = Int(min(UInt64(bytes.count), remaining))
            decoded.append(copying: bytes.extracting(0..<count))
            remaining -= UInt64(count)
            isComplete = remaining == 0
            return .piece(used: count, isLast: isComplete)
        }
        return readChunks(bytes)
    }

    private mutating func readChunks(_ bytes: Span<UInt8>) -> Progress {
        guard var decoder = chunks else { return .piece(used: 0, isLast: true) }
        let progress = decoder.decode(bytes, into: &decoded)
        chunks = decoder
        switch progress.state {
        case .needMore: return .piece(used: progress.consumed, isLast: false)
        case .done:
            isComplete = true
            return .piece(used: progress.consumed, isLast: true)
        case .refused(let refusal): return .refused(refusal)
        }
    }
}
