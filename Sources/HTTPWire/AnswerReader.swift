import Bytes

/// Reads one answer of an upstream straight from its connection (RFC 9112): interim heads, the final head, the body, the
/// end. Strict as `UpstreamHeadBuilder` and `ChunkedDecoder` are; a few words of state besides the head under way.
package struct AnswerReader: Sendable {
    private enum Phase {
        case head
        /// So many body bytes are still to come.
        case length(UInt64)
        case chunked(ChunkedDecoder)
        /// The end of the connection ends the body.
        case untilClose
        case ended
    }

    private let isHead: Bool
    private var phase = Phase.head
    /// The beginning of a line whose end has not come yet.
    private var partial: [UInt8] = []
    /// The last head; complete once `.head` was returned.
    package private(set) var head: UpstreamHeadBuilder

    /// - Parameters:
    ///   - isHead: the request was a HEAD: the answer has no body.
    ///   - maxFields: lines of one head; more is a fault.
    ///   - maxInterim: interim heads before the final one; more is a fault.
    package init(isHead: Bool, maxFields: Int, maxInterim: Int) {
        self.isHead = isHead
        head = UpstreamHeadBuilder(maxFields: maxFields, maxInterim: maxInterim)
    }

    /// The next thing in the bytes from `position` on. Call again until it is `.needMore` or `.end`.
    package mutating func next(_ bytes: Span<UInt8>, at position: inout Int) throws(WireFault) -> AnswerStep {
        switch phase {
        case .head: return try readHead(bytes, &position)
        case .length(0):
            phase = .ended
            return .end
        case .length(let remaining):
            guard position < bytes.count else { return .needMore }
            let count = Int(min(remaining, UInt64(bytes.count - position)))
            position += count
            phase = .length(remaining - UInt64(count))
            return .body(position - count..<position)
        case .chunked(var decoder):
            let step = decoder.next(bytes, at: &position)
            phase = .chunked(decoder)
            return try read(step)
        case .untilClose:
            guard position < bytes.count else { return .needMore }
            defer { position = bytes.count }
            return .body(position..<bytes.count)
        case .ended: return .end
        }
    }

    /// The connection ended in order. True when that is how this answer ends.
    package var endsWithConnection: Bool {
        if case .untilClose = phase { return true }
        return false
    }

    private mutating func read(_ step: ChunkStep) throws(WireFault) -> AnswerStep {
        switch step {
        case .data(let range): return .body(range)
        case .needMore: return .needMore
        case .refused: throw .badChunk
        case .done:
            phase = .ended
            return .end
        }
    }

    // MARK: Head

    private mutating func readHead(_ bytes: Span<UInt8>, _ position: inout Int) throws(WireFault) -> AnswerStep {
        while !head.isFinalComplete {
            guard let end = Self.lineEnd(bytes, from: position) else {
                try keep(bytes.extracting(position..<bytes.count))
                position = bytes.count
                return .needMore
            }
            let line = bytes.extracting(position..<end)
            position = end
            if partial.isEmpty {
                try head.line(line)
            } else {
                try keep(line)
                let whole = partial
                partial = []
                try head.line(whole.span)
            }
        }
        phase = bodyPhase
        return .head
    }

    /// A bound before the line's end is here, and a look at what can never become an answer: a peer that speaks another
    /// protocol may well send no line end at all.
    private mutating func keep(_ piece: Span<UInt8>) throws(WireFault) {
        guard partial.count + piece.count <= UpstreamHeadBuilder.maxHeadBytes else { throw .headTooLarge }
        partial.append(copying: piece)
        guard head.status == 0 else { return }
        let start: [UInt8] = [0x48, 0x54, 0x54, 0x50, 0x2F]
        guard partial.prefix(5).elementsEqual(start.prefix(partial.count)) else { throw .badStatusLine }
    }

    /// Offset after the line feed. A line that holds another control byte is the head builder's to refuse.
    private static func lineEnd(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while true {
            index = ByteClass.endOfFieldText(bytes, from: index)
            guard index < bytes.count else { return nil }
            index += 1
            if bytes[index - 1] == ByteClass.lineFeed { return index }
        }
    }

    private var bodyPhase: Phase {
        if isHead { return .length(0) }
        switch head.framing {
        case .none: return .length(0)
        case .length(let count): return .length(count)
        case .chunked: return .chunked(ChunkedDecoder())
        case .close: return .untilClose
        }
    }
}

/// What `AnswerReader.next` found.
package enum AnswerStep: Sendable, Equatable {
    case needMore
    /// The final head is complete.
    case head
    /// Offsets of body bytes in the input.
    case body(Range<Int>)
    /// The answer is complete; bytes after it belong to nobody.
    case end
}
