import Bytes
import LoopKit

/// One accepted connection of a `ScriptedUpstream`.
final class ScriptedConnection: ByteSocketDelegate {
    private unowned let upstream: ScriptedUpstream
    let number: Int
    let socket: ByteSocket
    private var input: [UInt8] = []
    private var output = ByteQueue()
    private var steps: [ScriptedUpstream.Step] = []
    private var timer: LoopTimer?
    private var current: ScriptedUpstream.Seen?
    private var isWaiting = false
    private(set) var bytesRead = 0
    private(set) var isEnded = false

    init(_ upstream: ScriptedUpstream, number: Int, _ descriptor: Int32) {
        self.upstream = upstream
        self.number = number
        socket = ByteSocket(loop: upstream.loop, owning: descriptor)
        socket.delegate = self
        socket.watchReads(true)
        timer = upstream.loop.timer { [unowned self] in
            isWaiting = false
            run()
        }
    }

    func play(_ more: [ScriptedUpstream.Step]) {
        steps += more
        run()
    }

    func socketWritable() {
        socket.watchWrites(false)
        run()
    }

    func socketReadable() {
        if current != nil, !upstream.readsBodies { return socket.watchReads(false) }
        let before = input.count
        switch socket.read(into: &input) {
        case .ended, .failed:
            isEnded = true
            socket.watchReads(false)
        case .read, .blocked: break
        }
        bytesRead += input.count - before
        while takeRequest() {}
    }

    func resumeReading() { socket.watchReads(true) }

    private func run() {
        while !isWaiting, socket.isOpen {
            while !output.isEmpty {
                let bytes = output.slice
                switch socket.write(bytes.span) {
                case .wrote(let count): output.consume(count)
                case .blocked: return socket.watchWrites(true)
                case .failed: return socket.close()
                }
            }
            guard !steps.isEmpty else { return }
            switch steps.removeFirst() {
            case .send(let bytes): output.append(bytes)
            case .wait(let milliseconds):
                isWaiting = true
                timer?.arm(after: milliseconds * 1_000_000)
            case .end: socket.close()
            case .reset: socket.reset()
            }
        }
    }

    /// Consumes one complete request from the input.
    private func takeRequest() -> Bool {
        if current == nil {
            guard let end = find([13, 10, 13, 10], from: 0) else { return false }
            let lines = input[..<end].text.split(separator: "\r\n").map(String.init)
            let words = input[..<end].split(separator: 13, maxSplits: 1)[0].split(separator: 32)
            input.removeFirst(end + 4)
            let seen = ScriptedUpstream.Seen(
                connection: number, method: words[0].text, target: Array(words[1]), head: Array(lines.dropFirst()),
                body: [])
            current = seen
            play(upstream.headScript(seen))
        }
        guard var seen = current, let body = takeBody(seen) else { return false }
        seen.body = body
        current = nil
        upstream.seen.append(seen)
        play(upstream.script(seen))
        return !input.isEmpty
    }

    private func takeBody(_ seen: ScriptedUpstream.Seen) -> [UInt8]? {
        if seen.field("transfer-encoding") != nil {
            guard let end = find([UInt8]("0\r\n\r\n"), from: 0) else { return nil }
            let raw = input[..<end]
            input.removeFirst(end + 5)
            return dechunk(Array(raw))
        }
        let count = seen.field("content-length").flatMap { Int($0) } ?? 0
        guard input.count >= count else { return nil }
        let body = Array(input[..<count])
        input.removeFirst(count)
        return body
    }

    private func dechunk(_ raw: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        var rest = raw[...]
        while let line = rest.firstIndex(of: 13), let size = Int(rest[..<line].text, radix: 16) {
            body += rest.dropFirst(line - rest.startIndex + 2).prefix(size)
            rest = rest.dropFirst(line - rest.startIndex + 2 + size + 2)
        }
        return body
    }

    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        guard input.count >= pattern.count else { return nil }
        return (start...input.count - pattern.count).first { index in
            input[index] == pattern[0] && Array(input[index..<index + pattern.count]) == pattern
        }
    }
}
