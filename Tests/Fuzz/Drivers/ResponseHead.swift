import Bytes
import HTTPWire

/// Whatever lines an upstream sends: no trap, and what is accepted can be written to a client without a surprise.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    var builder = UpstreamHeadBuilder(allowsHTTP2: count % 2 == 1)
    var rest = input[...]
    while !rest.isEmpty {
        let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
        let line = rest[..<end]
        rest = rest[end...]
        do throws(WireFault) { try builder.line(line.span) } catch { return 0 }
        require(100...999 ~= builder.status && builder.status != 101)
        require(builder.fields.count <= 200 && builder.interimCount <= 16)
        require(builder.fields.bytes.count <= count)
        if builder.isFinalComplete { check(builder) }
    }
    return 0
}

private func check(_ builder: UpstreamHeadBuilder) {
    require(!builder.isInterim)
    if case .length(let length) = builder.framing { require(builder.declaredLength == length) }
    if builder.framing == .chunked { require(builder.declaredLength == nil) }
    var fields = builder.fields
    HopByHop.strip(response: &fields)
    let hidden: [StaticString] = [
        "connection", "content-length", "transfer-encoding", "strict-transport-security", "access-control-allow-origin",
    ]
    for name in hidden { require(fields.first(name, folding: true) == nil) }
    rewrite(builder.status, builder.reason.flatMap { $0.isEmpty ? nil : $0 }, fields)
}

/// The head we write is one that this same builder accepts, with the same words and fields.
private func rewrite(_ status: Int, _ reason: [UInt8]?, _ fields: PairBlock) {
    var head: [UInt8] = []
    let date: [UInt8] = []
    ResponseHeadWriter.append(
        status: status, reason: reason, fields: fields, framing: .length(7), keepAlive: true, date: date.span, to: &head
    )
    var again = UpstreamHeadBuilder(maxFields: 201)
    var rest = head[...]
    while let end = rest.firstIndex(of: 0x0A) {
        let line = rest[...end]
        rest = rest[(end + 1)...]
        do throws(WireFault) { try again.line(line.span) } catch {
            // Our own Content-Length and blanks after each colon may meet the size limit of a head.
            return require(error == .headTooLarge)
        }
    }
    require(again.isFinalComplete && again.status == status && again.fields.count == fields.count + 1)
    require(again.reason == reason)
    for index in fields.entries.indices {
        require(again.fields.name(at: index) == fields.name(at: index))
        require(again.fields.value(at: index) == fields.value(at: index))
    }
}

private func require(_ condition: Bool, line: Int = #line) {
    if !condition { fatalError("line \(line)") }
}
