import Bytes
import LoopKit

/// A client on the loop: sends requests, collects answers with a declared length.
final class BenchClient: ByteSocketDelegate {
    struct Answer {
        var status: Int
        var head: String
        var body: String
    }

    private let socket: ByteSocket
    /// Value of `Host`.
    let host: String
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private(set) var answers: [Answer] = []
    private(set) var isEnded = false
    private(set) var byteCount = 0
    /// Only counts what comes, for large bodies.
    var onlyCounts = false
    var isReading = true { didSet { socket.watchReads(isReading) } }

    init(_ loop: EventLoop, _ address: ListenAddress) throws {
        host = address.description
        socket = ByteSocket(loop: loop, owning: try StreamConnector.connect(to: address))
        socket.delegate = self
        socket.watchReads(true)
    }

    func send(_ method: String, _ target: String, body: String? = nil, fields: String = "") {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)"
        if let body {
            text +=
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        } else {
            text += "\r\n"
        }
        send(text)
    }

    func send(_ text: String) {
        output.append(contentsOf: text.utf8)
        flush()
    }

    func close() { socket.close() }
    func reset() { socket.reset() }

    func socketReadable() {
        var piece: [UInt8] = []
        switch socket.read(into: &piece) {
        case .read(let count):
            byteCount += count
            if onlyCounts { return }
            input.append(contentsOf: piece)
            parse()
        case .blocked: break
        case .ended, .failed:
            isEnded = true
            socket.close()
        }
    }

    func socketWritable() { flush() }

    private func flush() {
        while !output.isEmpty {
            switch socket.write(output.span) {
            case .wrote(let count): output.removeFirst(count)
            case .blocked:
                socket.watchWrites(true)
                return
            case .failed:
                isEnded = true
                return
            }
        }
        socket.watchWrites(false)
    }

    private func parse() {
        while let end = headEnd {
            let head = String(decoding: input[..<end], as: UTF8.self)
            let count = length(head)
            guard input.count >= end + count else { return }
            let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
            let body = String(decoding: input[end..<end + count], as: UTF8.self)
            input.removeFirst(end + count)
            answers.append(Answer(status: status, head: head, body: body))
        }
    }

    private var headEnd: Int? {
        guard input.count >= 4 else { return nil }
        for index in 3..<input.count where input[index - 3...index].elementsEqual([13, 10, 13, 10]) { return index + 1 }
        return nil
    }

    private func length(_ head: String) -> Int {
        for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("content-length:") {
            return Int(line.drop { $0 != ":" }.dropFirst().filter(\.isNumber)) ?? 0
        }
        return 0
    }
}
