import Bytes
import LoopKit

/// An HTTP/1.1 server on the test's own loop that says exactly what its script says.
final class ScriptedUpstream {
    enum Step {
        case send([UInt8])
        case wait(milliseconds: UInt64)
        case end
        case reset
    }

    struct Seen {
        var connection: Int
        var method: String
        var target: [UInt8]
        var head: [String]
        var body: [UInt8]

        func field(_ name: String) -> String? {
            head.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }
    }

    let loop: EventLoop
    private var listener: ListenerSocket?
    private(set) var connections: [ScriptedConnection] = []
    private(set) var accepted = 0
    var seen: [Seen] = []
    /// What to do with a complete request.
    var script: (Seen) -> [Step] = { _ in [.send(ScriptedUpstream.ok("ok"))] }
    /// What to do as soon as a head is complete, before its body; empty = wait for the body.
    var headScript: (Seen) -> [Step] = { _ in [] }
    /// What to do with a new connection.
    var greeting: [Step] = []
    /// Stop reading bodies, to fill the client's socket.
    var readsBodies = true

    init(_ loop: EventLoop, _ address: ListenAddress = .tcp(host: "127.0.0.1", port: 0)) throws {
        self.loop = loop
        listener = try ListenerSocket(loop: loop, address: address) { [unowned self] descriptor, _ in
            accepted += 1
            let connection = ScriptedConnection(self, number: accepted, descriptor)
            connections.append(connection)
            connection.play(greeting)
        }
    }

    var port: UInt16 {
        guard case .tcp(_, let port)? = listener?.boundAddress else { return 0 }
        return port
    }

    func stopListening() { listener = nil }

    static func ok(_ body: String, _ fields: String = "") -> [UInt8] {
        [UInt8]("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Sends on every open connection that no request waits on.
    func sendUnasked(_ bytes: [UInt8]) {
        for connection in connections { connection.play([.send(bytes)]) }
    }

    func closeAll() {
        for connection in connections { connection.play([.end]) }
    }
}
