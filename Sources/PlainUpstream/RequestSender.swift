import Bytes
import Domain
import HTTPWire
import LoopKit

/// What of a request is still to be sent: the head, then the body as it is there or as it comes.
struct RequestSender {
    enum Step {
        case wrote, blocked, failed
        /// Nothing is left; a stream may give more.
        case empty
    }

    /// Most bytes that a stream is asked for at once.
    static let pieceLimit = 65_536

    /// The body when it is there from the start.
    private let body: [UInt8]
    let isStream: Bool
    private let isChunked: Bool
    /// Bytes of a stream still to come, when it has a length.
    private var remaining: UInt64?
    private var bodySent = 0
    /// Head, or a framed piece of a stream.
    private var output: [UInt8] = []
    private var outputSent = 0
    private(set) var hasTakenStream = false
    private(set) var isBodyEnded: Bool
    /// The rest will never be sent.
    private var isGivenUp = false
    /// A stream had nothing; `bodyAvailable` is awaited.
    var isStarved = false

    init(_ body: UpstreamRequest.Body) {
        switch body {
        case .none: (self.body, isStream, isChunked, remaining) = ([], false, false, nil)
        case .bytes(let bytes): (self.body, isStream, isChunked, remaining) = (bytes, false, false, nil)
        case .stream(let count): (self.body, isStream, isChunked, remaining) = ([], true, count == nil, count)
        }
        isBodyEnded = !isStream || remaining == 0
    }

    /// Not even the head went out, and the body's first piece may go with it.
    var wantsFirstPiece: Bool { isStream && !isBodyEnded && !hasTakenStream && outputSent == 0 && !isStarved }
    /// Nothing will be sent any more.
    var isOver: Bool { isGivenUp || isComplete }
    /// Every byte of the request is out.
    var isComplete: Bool { !isGivenUp && isBodyEnded && isEmpty }

    private var isEmpty: Bool { outputSent == output.count && bodySent == body.count }

    mutating func begin(_ head: [UInt8]) { output = head }

    mutating func giveUp() { isGivenUp = true }

    /// One write of what is there, head and body together.
    mutating func write(to socket: ByteSocket) -> Step {
        guard !isEmpty else { return .empty }
        let (output, body) = (output, body)
        let head = output.span.extracting(outputSent..<output.count)
        switch socket.write(head, body.span.extracting(bodySent..<body.count)) {
        case .wrote(let count):
            let ofHead = min(count, head.count)
            outputSent += ofHead
            bodySent += count - ofHead
            return .wrote
        case .blocked: return .blocked
        case .failed: return .failed
        }
    }

    /// An empty buffer for the next piece; the one before, where that is out.
    mutating func takePiece() -> [UInt8] {
        var piece: [UInt8] = []
        guard !isChunked, isEmpty else { return piece }
        swap(&piece, &output)
        piece.removeAll(keepingCapacity: true)
        outputSent = 0
        return piece
    }

    /// Takes what a stream supplied; returns what is wrong with it.
    mutating func accept(_ piece: inout [UInt8], _ supply: BodySupply) -> String? {
        if case .abort = supply { return "the body was given up" }
        hasTakenStream = hasTakenStream || !piece.isEmpty
        if let left = remaining {
            guard UInt64(piece.count) <= left else { return "the body is longer than declared" }
            remaining = left - UInt64(piece.count)
        }
        if case .end = supply {
            guard remaining ?? 0 == 0 else { return "the body is shorter than declared" }
            isBodyEnded = true
        } else {
            isBodyEnded = remaining == 0
        }
        isStarved = piece.isEmpty && !isBodyEnded
        frame(&piece)
        return nil
    }

    /// The first piece goes behind the head, so that one write takes both.
    private mutating func frame(_ piece: inout [UInt8]) {
        if isEmpty {
            output.removeAll(keepingCapacity: true)
            outputSent = 0
            if !isChunked { return swap(&output, &piece) }
        }
        guard isChunked else { return output.append(contentsOf: piece) }
        ChunkedEncoder.appendChunk(piece.span, to: &output)
        if isBodyEnded { ChunkedEncoder.appendLastChunk(to: &output) }
    }

    /// The request is out: its buffer serves the next one.
    mutating func release(to transport: PlainTransport) {
        transport.giveBack(&output)
        outputSent = 0
    }
}
