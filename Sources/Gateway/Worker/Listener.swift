import Bytes
import Domain
import HTTPWire
import LoopKit
import Observability

/// One address of the plan, bound: one socket, or two for `localhost`.
final class Listener {
    private let plan: ListenerPlan
    let role: ListenerRole
    private let loop: EventLoop
    private var sockets: [ListenerSocket] = []
    private unowned var worker: Worker?

    private init(_ plan: ListenerPlan, _ role: ListenerRole, loop: EventLoop) throws(LoopError) {
        self.plan = plan
        self.role = role
        self.loop = loop
        switch plan {
        case .tcp(let host, let port): try bind(.tcp(host: host, port: port))
        case .unix(let path): try bind(.unix(path: path))
        case .localhost(let port):
            try bind(.tcp(host: "127.0.0.1", port: port))
            do {
                try bind(.tcp(host: "::1", port: self.port ?? port))
            } catch  where error.isMissingAddress {
                // A host without IPv6: nobody can try that address.
            }
        }
    }

    private func bind(_ address: ListenAddress) throws(LoopError) {
        let hasRoom: (Bool) -> Bool = { [weak self] isExhausted in
            guard let self, let worker = self.worker else { return false }
            return worker.hasRoom(role, isExhausted: isExhausted)
        }
        let socket = try ListenerSocket(loop: loop, address: address, hasRoom: hasRoom) {
            [weak self] descriptor, peer in
            guard let self, let worker = self.worker else { return }
            worker.accept(descriptor, peer, self)
        }
        sockets.append(socket)
    }

    /// The listeners of a plan: those that are bound already (a reload keeps them, with their port), the others new. Fails
    /// with the first that cannot be bound; then nothing has changed.
    static func open(
        _ plan: GatewayPlan, keeping bound: [Listener] = [], loop: EventLoop
    ) throws(LoopError) -> [Listener] {
        var wanted = plan.listeners.map { ($0, ListenerRole.main) }
        if let admin = plan.admin { wanted.append((admin, .admin)) }
        var listeners: [Listener] = []
        for (address, role) in wanted {
            if let kept = bound.first(where: { $0.plan == address && $0.role == role }) {
                listeners.append(kept)
            } else {
                listeners.append(try Listener(address, role, loop: loop))
            }
        }
        return listeners
    }

    func start(_ worker: Worker) { self.worker = worker }

    func announce(_ log: Log) {
        for socket in sockets {
            log.info(
                "listening",
                [
                    .text("address", socket.boundAddress.description),
                    .word("role", role == .admin ? "admin" : "main"),
                ])
        }
    }

    func resume() { for socket in sockets { socket.resumeAccepting() } }

    func close() {
        for socket in sockets { socket.close() }
        sockets = []
    }

    var acceptPauses: UInt64 { sockets.reduce(0) { $0 + $1.acceptPauses } }
    var isMain: Bool { role == .main }
    /// A reload took it away: its connections end with their next answer.
    var isClosed: Bool { sockets.isEmpty }

    /// Authorities that name this listener: what a client may put into `Host`.
    var authorities: [[UInt8]] {
        sockets.compactMap { socket in
            guard case .tcp(let host, let port) = socket.boundAddress else { return nil }
            let isV6 = host.utf8.contains(0x3A)
            let isAny = host == "0.0.0.0" || host == "::"
            return isAny ? nil : Array("\(isV6 ? "[\(host)]" : host):\(port)".utf8)
        }
    }

    var port: UInt16? {
        if case .tcp(_, let port) = sockets.first?.boundAddress { return port }
        return nil
    }
}

extension Worker {
    /// Names that requests to this kind of listener may carry: localhost and the bound addresses with their ports, and
    /// for the main listeners what the config adds (DNS rebinding: anything else is refused).
    func hostRule(_ plan: GatewayPlan, role: ListenerRole) -> HostRule {
        let own = listeners.filter { $0.isMain == (role == .main) }
        var entries = own.flatMap(\.authorities)
        for port in own.compactMap(\.port) {
            for name in ["localhost", "127.0.0.1", "[::1]"] { entries.append(Array("\(name):\(port)".utf8)) }
        }
        // A unix socket has no port, and the name its clients send means nothing.
        if own.contains(where: { $0.port == nil }) { entries.append(Array("localhost".utf8)) }
        entries += plan.access.hosts.map { Array($0.utf8) }
        let rule = HostRule(allowing: entries)
        precondition(rule != nil, "the configuration checked every host")
        return rule!
    }
}
