import Bytes
import LoopKit

/// One request to an admin listener, to its end. A person waits for it, so nothing is retried.
final class AdminClient: ByteSocketDelegate {
    enum Failure: Error {
        case unreachable(String)
        case notOurs
        /// 429: the gateway does not do it so often.
        case tooOften
    }

    private static let patience: UInt64 = 5_000_000_000
    /// A health report of a thousand sessions is far below.
    private static let largest = 4 << 20

    private let loop: EventLoop
    private let socket: ByteSocket
    private var unsent: [UInt8]
    private var answer: [UInt8] = []
    private var problem: String?

    private init(
        _ address: ListenAddress, _ method: String, _ path: String, fields: [(name: String, value: String)]
    ) throws(LoopError) {
        loop = try EventLoop()
        socket = ByteSocket(loop: loop, owning: try StreamConnector.connect(to: address))
        let host: String
        if case .tcp = address { host = address.description } else { host = "localhost" }
        let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        unsent = Array("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(lines)\r\n".utf8)
    }

    /// The body of a 200.
    static func get(_ path: String, from address: ListenAddress) throws(Failure) -> [UInt8] {
        try send("GET", path, to: address)
    }

    /// The body of a 200 or 202.
    static func send(
        _ method: String, _ path: String, fields: [(name: String, value: String)] = [], to address: ListenAddress
    ) throws(Failure) -> [UInt8] {
        let client: AdminClient
        do throws(LoopError) {
            client = try AdminClient(address, method, path, fields: fields)
        } catch {
            throw .unreachable("\(error)")
        }
        client.run()
        if let problem = client.problem { throw .unreachable(problem) }
        let separator = Array("\r\n\r\n".utf8)
        let text = client.answer
        if text.starts(with: "HTTP/1.1 429 ".utf8) { throw .tooOften }
        guard text.starts(with: "HTTP/1.1 200 ".utf8) || text.starts(with: "HTTP/1.1 202 ".utf8),
            let end = text.indices.first(where: { text[$0...].starts(with: separator) })
        else { throw .notOurs }
        return Array(text[(end + separator.count)...])
    }

    private func run() {
        let timer = loop.timer { self.end("no answer within 5 s") }
        timer.arm(after: Self.patience)
        socket.delegate = self
        // A connect that is under way ends by becoming writable.
        socket.watchWrites(true)
        loop.run()
        timer.cancel()
        socket.close()
    }

    private func end(_ problem: String?) {
        self.problem = problem
        socket.close()
        loop.stop()
    }

    func socketWritable() {
        let bytes = unsent
        switch socket.write(bytes.span) {
        case .wrote(let count): unsent.removeFirst(count)
        case .blocked: return
        case .failed(let code): return end("\(LoopError("connect", code: code))")
        }
        guard unsent.isEmpty else { return }
        socket.watchWrites(false)
        socket.watchReads(true)
    }

    func socketReadable() {
        switch socket.read(into: &answer) {
        case .read, .blocked: if answer.count > Self.largest { end("the answer does not end") }
        case .ended: end(nil)
        case .failed(let code): end("\(LoopError("read", code: code))")
        }
    }
}
