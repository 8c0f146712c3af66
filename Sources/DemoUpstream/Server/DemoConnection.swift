import Bytes
import HTTPWire
import LoopKit

/// One client connection: reads a request, hands it to the server, sends the answer, again. Lives on the loop.
final class DemoConnection: ByteSocketDelegate {
    private enum Phase {
        case head
        case body
        /// The answer waits for its timer.
        case delayed
        case sending
        /// The answer is out and the client may still be writing: closing now would reset the connection under it.
        case lingering
        case closed
    }

    /// Input kept while an answer is under way (pipelined requests). More waits in the socket.
    private static let inputLimit = 65_536
    /// Sent per wake-up, so that a download cannot starve the rest.
    private static let outputPerTick = 1 << 20

    private unowned let server: DemoServer
    private let socket: ByteSocket
    private var phase = Phase.head
    /// The request under way. Apart from the phase, so that a growing body is never copied.
    private var head: RequestHead?
    private var body: DemoBody?
    private var parser = RequestHeadParser()
    private var input = ByteQueue()
    private var output = ByteQueue()
    private var stream: PatternStream?
    private var closesAfterAnswer = false
    private var hasPeerEnded = false
    private var timer: LoopTimer?

    init(server: DemoServer, socket: ByteSocket) {
        self.server = server
        self.socket = socket
        socket.delegate = self
        socket.watchReads(true)
    }

    /// Ends it at once, whatever it is doing.
    func close(resetting: Bool = false) {
        guard socket.isOpen else { return }
        phase = .closed
        timer = nil
        if resetting { socket.reset() } else { socket.close() }
        server.remove(self)
    }

    // MARK: Reading

    func socketReadable() {
        switch socket.read({ self.input.append($0) }) {
        case .read: break
        case .ended:
            hasPeerEnded = true
            socket.watchReads(false)
        case .blocked: return
        case .failed: return close()
        }
        process()
    }

    /// Goes on until something is missing: bytes, time or room to write.
    private func process() {
        while step() {}
        if socket.isOpen, !hasPeerEnded { socket.watchReads(input.count < Self.inputLimit || isReadingBody) }
    }

    private var isReadingBody: Bool { phase == .body }

    private func step() -> Bool {
        switch phase {
        case .head: return parseHead()
        case .body: return takeBody()
        case .sending: return finishAnswer()
        case .lingering:
            input.removeAll()
            if hasPeerEnded { close() }
            return false
        case .delayed, .closed: return false
        }
    }

    private func parseHead() -> Bool {
        let slice = input.slice
        switch slice.isEmpty ? .incomplete : parser.parse(slice.span) {
        case .incomplete:
            if hasPeerEnded { close() }
            return false
        case .refused(let refusal):
            refuse(refusal.status)
            return true
        case .complete(let head, let consumed):
            input.consume(consumed)
            parser.reset()
            closesAfterAnswer = !head.keepAlive
            self.head = head
            body = DemoBody(head.framing, counting: server.isSink(head))
            guard body != nil else {
                refuse(413)
                return true
            }
            if head.expectsContinue, input.isEmpty {
                var interim: [UInt8] = []
                ResponseHeadWriter.appendContinue(to: &interim)
                output.append(interim)
                flush()
            }
            if socket.isOpen { phase = .body }
            return socket.isOpen
        }
    }

    private func takeBody() -> Bool {
        switch body?.take(from: &input) {
        case .needMore:
            if hasPeerEnded { close() }
            return false
        case .refused(let refusal):
            refuse(refusal.status)
        case .done:
            if let head, let body { answer(head, server.respond(to: head, body: body)) }
        case nil: close()
        }
        return true
    }

    private func refuse(_ status: Int) {
        closesAfterAnswer = true
        send(DemoResponse(status: status, content: .bytes(ControlAPI.failure(status, "refused").body)), to: nil)
    }

    // MARK: Answering

    private func answer(_ head: RequestHead, _ response: DemoResponse) {
        if response.drops { return close(resetting: true) }
        guard response.delay > 0 else { return send(response, to: head) }
        phase = .delayed
        let timer = server.loop.timer { [weak self] in
            self?.send(response, to: head)
            self?.process()
        }
        timer.arm(after: response.delay)
        self.timer = timer
    }

    private func send(_ response: DemoResponse, to head: RequestHead?) {
        phase = .sending
        if response.closes { closesAfterAnswer = true }
        let isHTTP10 = head?.isHTTP10 ?? false
        let framing: ResponseHeadWriter.Framing =
            switch response.content {
            case .bytes(let bytes): .length(UInt64(bytes.count))
            case .pattern(let count, let chunked): chunked ? (isHTTP10 ? .close : .chunked) : .length(count)
            }
        if framing == .close { closesAfterAnswer = true }
        var fields = PairBlock()
        fields.append(name: "Content-Type".utf8Array.span, value: response.contentType.bytes.span)
        var date: [UInt8] = []
        HTTPDate.append(unix: server.now, to: &date)
        var text: [UInt8] = []
        ResponseHeadWriter.append(
            status: response.status, fields: fields, framing: framing, keepAlive: !closesAfterAnswer,
            isHTTP10: isHTTP10, date: date.span, to: &text)
        if head?.method != .head {
            switch response.content {
            case .bytes(let bytes): text += bytes
            case .pattern(let count, _): stream = PatternStream(count: count, chunked: framing == .chunked)
            }
        }
        output.append(text)
        flush()
        server.perform(response.effect)
    }

    func socketWritable() {
        socket.watchWrites(false)
        flush()
        process()
    }

    /// Writes until everything is out, the socket is full or this tick's share is used up.
    private func flush() {
        var budget = Self.outputPerTick
        while socket.isOpen, budget > 0 {
            if output.isEmpty, var stream, !stream.isFinished, stream.isChunked {
                var chunk: [UInt8] = []
                stream.appendChunk(to: &chunk)
                output.append(chunk)
                self.stream = stream
            }
            guard let outcome = writeSome() else { return }
            switch outcome {
            case .wrote(let count): budget -= count
            case .blocked: return socket.watchWrites(true)
            case .failed: return close()
            }
        }
        if socket.isOpen, !isDrained { socket.watchWrites(true) }
    }

    /// One write, of the queue or else of the stream; `nil` when there is nothing to write.
    private func writeSome() -> WriteOutcome? {
        if !output.isEmpty {
            let slice = output.slice
            let outcome = socket.write(slice.span)
            if case .wrote(let count) = outcome { output.consume(count) }
            return outcome
        }
        guard var stream, stream.remaining > 0 else { return nil }
        let outcome = stream.lend { bytes in
            let outcome = socket.write(bytes)
            if case .wrote(let count) = outcome { return (outcome, used: count) }
            return (outcome, used: 0)
        }
        self.stream = stream
        return outcome
    }

    private var isDrained: Bool { output.isEmpty && stream?.isFinished ?? true }

    private func finishAnswer() -> Bool {
        guard isDrained else { return false }
        (stream, head, body, timer) = (nil, nil, nil, nil)
        guard closesAfterAnswer || (hasPeerEnded && input.isEmpty) else {
            phase = .head
            return true
        }
        if hasPeerEnded {
            close()
            return false
        }
        socket.shutdownWrites()
        phase = .lingering
        let timer = server.loop.timer { [weak self] in self?.close() }
        timer.arm(after: 1_000_000_000)
        self.timer = timer
        return true
    }
}

extension String {
    fileprivate var utf8Array: [UInt8] { Array(utf8) }
}
