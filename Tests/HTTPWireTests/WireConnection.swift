import Bytes
import HTTPWire

/// The part of a connection that the wire rules decide: bytes in, requests and a refusal out. Stands in for the gateway so
/// that a whole corpus case can be judged without a socket.
struct WireConnection {
    struct Request: Equatable {
        var method: String
        var target: String
        var body: [UInt8]
        var names: [String]
    }
    struct Outcome: Equatable {
        var requests: [Request] = []
        /// 0: nothing was refused.
        var status = 0
        var closed = false
        var consumed = 0
        var sentContinue = false
        /// Bytes of an unfinished request are there.
        var isMidway = false
    }
    private enum Body {
        case head
        case length(UInt64)
        case chunked(ChunkedDecoder)
    }

    static let bodyLimit: UInt64 = 10 << 20
    private let rule: HostRule
    private var buffer: [UInt8] = []
    private var parser = RequestHeadParser()
    private var body = Body.head
    private var current: Request?
    private var keepAlive = true
    private(set) var outcome = Outcome()

    init(rule: HostRule) { self.rule = rule }

    /// Takes the next bytes off the socket.
    mutating func receive(_ bytes: ArraySlice<UInt8>) {
        guard !outcome.closed else { return }
        buffer.append(contentsOf: bytes)
        while !outcome.closed, step() {}
        outcome.isMidway = !outcome.closed && (!buffer.isEmpty || current != nil)
    }

    private mutating func step() -> Bool {
        switch body {
        case .head: return head()
        case .length(let rest): return fixed(rest)
        case .chunked(let decoder): return chunked(decoder)
        }
    }

    private mutating func drop(_ count: Int) {
        buffer.removeFirst(count)
        outcome.consumed += count
    }

    private mutating func refuse(_ refusal: WireRefusal) -> Bool {
        outcome.status = refusal.status
        outcome.closed = true
        return false
    }

    private mutating func head() -> Bool {
        let bytes = buffer
        switch parser.parse(bytes.span) {
        case .incomplete: return false
        case .refused(let refusal): return refuse(refusal)
        case .complete(let head, let consumed):
            parser.reset()
            drop(consumed)
            return begin(head)
        }
    }

    private mutating func begin(_ head: RequestHead) -> Bool {
        if let refusal = rule.check(head) { return refuse(refusal) }
        if head.isAsteriskForm { return refuse(WireRefusal(.refusedMethod)) }
        var fields = head.fields
        HopByHop.strip(request: &fields)
        current = Request(
            method: head.method.name, target: String(decoding: head.originTarget, as: UTF8.self), body: [],
            names: fields.entries.indices.map { String(decoding: fields.name(at: $0), as: UTF8.self).lowercased() })
        keepAlive = head.keepAlive
        switch head.framing {
        case .none: return finish()
        case .length(let count):
            guard count <= Self.bodyLimit else { return refuse(WireRefusal(.bodyTooLarge)) }
            body = .length(count)
        case .chunked: body = .chunked(ChunkedDecoder(bodyLimit: Self.bodyLimit))
        }
        if head.expectsContinue { outcome.sentContinue = true }
        return true
    }

    private mutating func fixed(_ rest: UInt64) -> Bool {
        if rest == 0 { return finish() }
        guard !buffer.isEmpty else { return false }
        let count = min(Int(rest), buffer.count)
        current?.body.append(contentsOf: buffer[..<count])
        drop(count)
        body = .length(rest - UInt64(count))
        return true
    }

    private mutating func chunked(_ decoder: ChunkedDecoder) -> Bool {
        var decoder = decoder
        let bytes = buffer
        var output: [UInt8] = []
        let progress = decoder.decode(bytes.span, into: &output)
        current?.body.append(contentsOf: output)
        drop(progress.consumed)
        body = .chunked(decoder)
        switch progress.state {
        case .needMore: return false
        case .done: return finish()
        case .refused(let refusal): return refuse(refusal)
        }
    }

    private mutating func finish() -> Bool {
        if let current { outcome.requests.append(current) }
        current = nil
        body = .head
        if !keepAlive { outcome.closed = true }
        return keepAlive
    }
}
