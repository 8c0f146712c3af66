import Bytes

/// Decodes a chunked body (RFC 9112 7.1), strict: 1 to 16 hexadecimal digits, extensions checked and discarded, data
/// followed by exactly CRLF, trailers checked, and discarded unless asked for. A few words of state, whatever the peer
/// sends, and the trailers that were asked for.
package struct ChunkedDecoder: Sendable {
    private enum Phase {
        case size, extensionName, extensionValue, extensionToken, quoted, quotedPair, extensionEnd, sizeLineFeed
        case data, dataReturn, dataLineFeed
        case trailerStart, trailerName, trailerValue, trailerReturn, trailerLineFeed, finalLineFeed, finished
    }

    private let limits: WireLimits
    private let bodyLimit: UInt64
    private var phase = Phase.size
    private var refusal: WireRefusal?
    /// Size under way, then bytes of the chunk still to come.
    private var remaining: UInt64 = 0
    private var digits = 0
    private var total: UInt64 = 0
    private var lineBytes = 0
    private var extensionBytes = 0
    private var nameBytes = 0
    private var trailerBytes = 0
    private var trailerFields = 0
    private let isContent: Bool
    /// Trailer lines as they came, without their ends, each with a line feed behind it; empty unless they are kept.
    package private(set) var trailers: [UInt8] = []

    /// - Parameters:
    ///   - bodyLimit: decoded bytes allowed; a chunk that would exceed it is refused (413) by its size line.
    ///   - isContent: it is S3's frame within a body, not that of a message: trailers are kept, and a line feed may come
    ///     before the end of their lines, as the documentation writes them and minio-go sends them.
    package init(limits: WireLimits = .init(), bodyLimit: UInt64 = .max, isContent: Bool = false) {
        self.isContent = isContent
        self.limits = limits
        self.bodyLimit = bodyLimit
    }

    /// Decoded bytes of the chunks that were let through.
    package var decodedCount: UInt64 { total }
    /// The same, with the chunk that was refused for its size.
    package var announcedCount: UInt64 {
        refusal?.reason == .bodyTooLarge ? total.addingReportingOverflow(remaining).partialValue : total
    }
    package var isFinished: Bool { phase == .finished }

    /// Appends the body bytes of the input to `output`: one `memcpy` per piece of a chunk. Output never grows by more
    /// than the input has.
    package mutating func decode(_ bytes: Span<UInt8>, into output: inout [UInt8]) -> ChunkProgress {
        var position = 0
        while true {
            switch next(bytes, at: &position) {
            case .data(let range): output.append(copying: bytes.extracting(range))
            case .needMore: return ChunkProgress(consumed: position, state: .needMore)
            case .done: return ChunkProgress(consumed: position, state: .done)
            case .refused(let refusal): return ChunkProgress(consumed: position, state: .refused(refusal))
            }
        }
    }

    /// The next run of body bytes from `position` on, without a copy. Call again until it is not `.data`.
    package mutating func next(_ bytes: Span<UInt8>, at position: inout Int) -> ChunkStep {
        if let refusal { return .refused(refusal) }
        do throws(WireRefusal) {
            while phase != .finished {
                guard position < bytes.count else { return .needMore }
                if phase == .data {
                    let count = Int(min(remaining, UInt64(bytes.count - position)))
                    let range = position..<position + count
                    position += count
                    remaining -= UInt64(count)
                    if remaining == 0 { phase = .dataReturn }
                    return .data(range)
                }
                try accept(bytes[position])
                position += 1
            }
            return .done
        } catch {
            refusal = error
            return .refused(error)
        }
    }

    private mutating func accept(_ byte: UInt8) throws(WireRefusal) {
        switch phase {
        case .size, .sizeLineFeed: try acceptSize(byte)
        case .extensionName, .extensionValue, .extensionToken, .quoted, .quotedPair, .extensionEnd:
            try acceptExtension(byte)
        case .dataReturn: try expect(byte, ByteClass.carriageReturn, then: .dataLineFeed)
        case .dataLineFeed:
            try expect(byte, ByteClass.lineFeed, then: .size)
            (digits, lineBytes, remaining) = (0, 0, 0)
        case .trailerStart, .trailerName, .trailerValue, .trailerReturn, .trailerLineFeed: try acceptTrailer(byte)
        case .finalLineFeed: try expect(byte, ByteClass.lineFeed, then: .finished)
        case .data, .finished: break
        }
    }

    private mutating func expect(_ byte: UInt8, _ wanted: UInt8, then next: Phase) throws(WireRefusal) {
        guard byte == wanted else { throw WireRefusal(.badChunk) }
        phase = next
    }

    // MARK: Chunk line

    private mutating func acceptSize(_ byte: UInt8) throws(WireRefusal) {
        if phase == .sizeLineFeed {
            guard byte == ByteClass.lineFeed else { throw WireRefusal(.badChunk) }
            return try beginChunk()
        }
        if let value = ASCII.hexValue(byte) {
            // 16 digits fill 64 bits: more could only be zeros in front, or an overflow (CVE-2021-32714).
            guard digits < 16 else { throw WireRefusal(.badChunk) }
            digits += 1
            lineBytes += 1
            remaining = remaining << 4 | UInt64(value)
        } else if digits > 0 {
            try endElement(byte)
        } else {
            throw WireRefusal(.badChunk)
        }
    }

    private mutating func beginChunk() throws(WireRefusal) {
        guard remaining > 0 else {
            phase = .trailerStart
            return
        }
        let (sum, overflow) = total.addingReportingOverflow(remaining)
        if overflow { remaining = .max - total }
        guard !overflow, sum <= bodyLimit else { throw WireRefusal(.bodyTooLarge) }
        total = sum
        phase = .data
    }

    /// After a size or an extension: another extension, or the end of the line. Blanks, which RFC 9112 calls bad, and
    /// line ends of any other kind (CVE-2025-55315) are refused.
    private mutating func endElement(_ byte: UInt8) throws(WireRefusal) {
        switch byte {
        case 0x3B:
            nameBytes = 0
            phase = .extensionName
            try countExtension()
        case ByteClass.carriageReturn: phase = .sizeLineFeed
        default: throw WireRefusal(.badChunk)
        }
    }

    private mutating func countExtension() throws(WireRefusal) {
        lineBytes += 1
        extensionBytes += 1
        guard lineBytes + 2 <= limits.chunkLine else { throw WireRefusal(.chunkLineTooLong) }
        guard extensionBytes <= limits.chunkExtensions else { throw WireRefusal(.chunkExtensionsTooLarge) }
    }

    private mutating func acceptExtension(_ byte: UInt8) throws(WireRefusal) {
        switch phase {
        case .extensionName where nameBytes > 0 && byte == 0x3D: phase = .extensionValue
        case .extensionName where nameBytes > 0 && !ByteClass.isToken(byte): return try endElement(byte)
        case .extensionName where ByteClass.isToken(byte): nameBytes = 1
        case .extensionValue where byte == 0x22: phase = .quoted
        case .extensionValue where ByteClass.isToken(byte): phase = .extensionToken
        case .extensionToken where ByteClass.isToken(byte): break
        case .extensionToken, .extensionEnd: return try endElement(byte)
        case .quoted where byte == 0x22: phase = .extensionEnd
        case .quoted where byte == 0x5C: phase = .quotedPair
        case .quoted where ByteClass.isFieldText(byte): break
        case .quotedPair where ByteClass.isFieldText(byte): phase = .quoted
        default: throw WireRefusal(.badChunk)
        }
        try countExtension()
    }

    // MARK: Trailers

    private mutating func acceptTrailer(_ byte: UInt8) throws(WireRefusal) {
        trailerBytes += 1
        guard trailerBytes <= limits.trailerBytes else { throw WireRefusal(.trailersTooLarge) }
        switch phase {
        case .trailerStart where byte == ByteClass.carriageReturn: phase = .finalLineFeed
        case .trailerStart where ByteClass.isToken(byte):
            trailerFields += 1
            guard trailerFields <= limits.trailerFields else { throw WireRefusal(.trailersTooLarge) }
            nameBytes = 1
            phase = .trailerName
        case .trailerName where byte == ByteClass.colon: phase = .trailerValue
        case .trailerName where ByteClass.isToken(byte):
            nameBytes += 1
            guard nameBytes <= limits.nameBytes else { throw WireRefusal(.fieldNameTooLong) }
        case .trailerValue where isContent && byte == ByteClass.lineFeed: return phase = .trailerReturn
        case .trailerValue where byte == ByteClass.carriageReturn: return phase = .trailerLineFeed
        case .trailerReturn where byte == ByteClass.carriageReturn: return phase = .trailerLineFeed
        case .trailerValue where ByteClass.isFieldText(byte): break
        case .trailerLineFeed where byte == ByteClass.lineFeed: phase = .trailerStart
        default: throw WireRefusal(.badTrailer)
        }
        if isContent, phase != .finalLineFeed { trailers.append(byte) }
    }
}
