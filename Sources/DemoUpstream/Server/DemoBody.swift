import Bytes
import Cryptography
import HTTPWire

/// The body of one request while it arrives: kept (API calls, at most 1 MiB) or counted and hashed (the sink, any size).
struct DemoBody {
    static let keptLimit: UInt64 = 1 << 20

    enum Progress { case needMore, done, refused(WireRefusal) }

    private enum Rest {
        case length(UInt64)
        case chunked(ChunkedDecoder)
    }

    private var rest: Rest
    private let digest: Digest.Incremental?
    private(set) var kept: [UInt8] = []
    private(set) var count: UInt64 = 0

    /// `nil` when a kept body announces more than it may have.
    init?(_ framing: BodyFraming, counting: Bool) {
        digest = counting ? Digest.Incremental(.sha256) : nil
        switch framing {
        case .none: rest = .length(0)
        case .length(let count):
            guard counting || count <= Self.keptLimit else { return nil }
            rest = .length(count)
        case .chunked: rest = .chunked(ChunkedDecoder(bodyLimit: counting ? .max : Self.keptLimit))
        }
    }

    /// SHA-256 of everything, as hex. Once.
    func finishDigest() -> [UInt8] {
        let raw = digest?.finish() ?? []
        return Hex.encode(raw.span)
    }

    /// Takes what belongs to the body off the queue.
    mutating func take(from input: inout ByteQueue) -> Progress {
        switch rest {
        case .length(let missing):
            let take = Int(min(missing, UInt64(input.count)))
            let slice = input.slice.prefix(take)
            add(slice.span)
            input.consume(take)
            rest = .length(missing - UInt64(take))
            return missing == UInt64(take) ? .done : .needMore
        case .chunked(var decoder):
            var decoded: [UInt8] = []
            let slice = input.slice
            let progress = decoder.decode(slice.span, into: &decoded)
            add(decoded.span)
            input.consume(progress.consumed)
            rest = .chunked(decoder)
            switch progress.state {
            case .needMore: return .needMore
            case .done: return .done
            case .refused(let refusal): return .refused(refusal)
            }
        }
    }

    private mutating func add(_ bytes: Span<UInt8>) {
        count += UInt64(bytes.count)
        if let digest { digest.update(bytes) } else { kept.append(copying: bytes) }
    }
}
