import Bytes
import HTTPWire
package import LoopKit

/// The demo shop on sockets. Lives on its loop's thread.
package final class DemoServer {
    let loop: EventLoop
    private var state: DemoState
    private var listeners: [ListenerSocket] = []
    private var connections: [ObjectIdentifier: DemoConnection] = [:]
    private var reopening: LoopTimer?
    /// What it listens on, with the real ports.
    package private(set) var boundAddresses: [ListenAddress]

    /// Binds and answers from the loop's next tick on. Throws when an address cannot be bound.
    package init(loop: EventLoop, options: DemoOptions = DemoOptions()) throws(LoopError) {
        self.loop = loop
        state = DemoState(options: options)
        boundAddresses = options.addresses
        try listen()
        boundAddresses = listeners.map(\.boundAddress)
    }

    /// Port of the first TCP address; 0 when there is none.
    package var boundPort: UInt16 {
        for case .tcp(_, let port) in boundAddresses { return port }
        return 0
    }

    /// Stops listening and ends every connection.
    package func close() {
        reopening = nil
        for listener in listeners { listener.close() }
        listeners = []
        for connection in Array(connections.values) { connection.close() }
    }

    /// Unix seconds of the shop's clock.
    var now: Int64 { loop.wall.seconds + state.faults.clockOffset }

    // MARK: Sockets

    private func listen() throws(LoopError) {
        var opened: [ListenerSocket] = []
        for address in boundAddresses {
            opened.append(
                try ListenerSocket(loop: loop, address: address) { [unowned self] descriptor, _ in
                    accept(descriptor)
                })
        }
        listeners = opened
    }

    private func accept(_ descriptor: Int32) {
        state.shop.counters.connections += 1
        let connection = DemoConnection(server: self, socket: ByteSocket(loop: loop, owning: descriptor))
        connections[ObjectIdentifier(connection)] = connection
    }

    func remove(_ connection: DemoConnection) {
        connections[ObjectIdentifier(connection)] = nil
        for listener in listeners { listener.resumeAccepting() }
    }

    func perform(_ effect: ControlAnswer.Effect) {
        guard case .down(let milliseconds) = effect else { return }
        // After the tick: the answer to this very call is in the socket by then.
        loop.atEndOfTick { [weak self] in self?.goDown(milliseconds) }
    }

    private func goDown(_ milliseconds: UInt64) {
        close()
        reopen(after: milliseconds * 1_000_000)
    }

    private func reopen(after nanoseconds: UInt64) {
        let timer = loop.timer { [weak self] in
            guard let self else { return }
            reopening = nil
            // Somebody may have taken the port meanwhile: try until it is free.
            do { try listen() } catch { reopen(after: 50_000_000) }
        }
        timer.arm(after: nanoseconds)
        reopening = timer
    }

    // MARK: Requests

    /// The upload sink takes any amount: its body is counted, not kept.
    func isSink(_ head: RequestHead) -> Bool { equal(head.path, "/_demo/sink") }

    func respond(to head: RequestHead, body: DemoBody) -> DemoResponse {
        let rawQuery = head.query ?? []
        let query = PHPForm(rawQuery.span)
        if equal(head.path, "/ping") {
            return DemoResponse(contentType: "text/plain", content: .bytes(Array("pong\n".utf8)))
        }
        if isSink(head) { return DemoResponse(content: .bytes(DemoReports.sink(body))) }
        if equal(head.path, "/_demo/echo") { return DemoResponse(content: .bytes(DemoReports.echo(head, body))) }
        if equal(head.path, "/_demo/bytes") { return pattern(query) }
        let prefix = ControlAPI.prefix.bytes
        guard head.path.starts(with: prefix) else { return callShop(head, body) }
        let answer = ControlAPI.answer(
            Array(head.path.dropFirst(prefix.count)), isPost: head.method == .post, query: query, state: &state,
            now: now)
        var response = DemoResponse(status: answer.status, content: .bytes(answer.body), effect: answer.effect)
        response.closes = answer.effect != .none
        return response
    }

    private func equal(_ path: ArraySlice<UInt8>, _ text: StaticString) -> Bool { path.elementsEqual(text.bytes) }

    private func pattern(_ query: PHPForm) -> DemoResponse {
        let text = query.text("count")
        guard let count = ASCII.decimal(text.span) else {
            let failure = ControlAPI.failure(400, "count=N is missing")
            return DemoResponse(status: failure.status, content: .bytes(failure.body))
        }
        return DemoResponse(
            contentType: "application/octet-stream", content: .pattern(count, chunked: !query.text("chunked").isEmpty))
    }

    private func callShop(_ head: RequestHead, _ body: DemoBody) -> DemoResponse {
        var response = DemoResponse(contentType: "text/html;charset=utf-8", content: .bytes([]))
        response.delay = state.faults.delay
        if state.faults.failCount > 0 {
            state.faults.failCount -= 1
            state.shop.counters.faults += 1
            response.status = state.faults.failStatus
            response.content = .bytes(Array("<html><body><h1>demo fault</h1></body></html>\n".utf8))
            return response
        }
        if state.faults.dropCount > 0 {
            state.faults.dropCount -= 1
            state.shop.counters.faults += 1
            response.drops = true
            if !state.faults.runsDropped { return response }
        }
        let type = head.fields.first("content-type", folding: true) ?? []
        guard
            let request = ShopRequest(
                isPost: head.method == .post, path: head.path, query: head.query ?? [], contentType: type,
                body: body.kept)
        else {
            response.status = 404
            response.content = .bytes(Array("<html><body><h1>404 Not Found</h1></body></html>\n".utf8))
            return response
        }
        let answer = state.shop.answer(request, now: now)
        response.status = answer.status
        response.content = .bytes(answer.body)
        return response
    }
}
