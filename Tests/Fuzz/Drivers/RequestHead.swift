import Bytes
import HTTPWire

/// Whatever the bytes: no trap, one verdict for every split, and an accepted head keeps its promises.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let whole = RequestHeadParser.parse(input.span)
    compare(whole, split(input, at: count == 0 ? 0 : pseudoRandom(input) % count))
    compare(whole, byteByByte(input))
    if case .complete(let head, let consumed) = whole { check(head, consumed, input) }
    let authority = Authority(input.span)
    if let authority { require(!authority.host.isEmpty && authority.host.upperBound <= count) }
    if let date = HTTPDate.parse(input.span) {
        var text: [UInt8] = []
        HTTPDate.append(unix: date, to: &text)
        require(HTTPDate.parse(text.span) == date)
    }
    return 0
}

private func split(_ input: [UInt8], at cut: Int) -> HeadParse {
    var parser = RequestHeadParser()
    let first = input[..<cut]
    let early = parser.parse(first.span)
    guard case .incomplete = early else { return early }
    return parser.parse(input.span)
}

private func byteByByte(_ input: [UInt8]) -> HeadParse {
    var parser = RequestHeadParser()
    for count in 0..<input.count {
        let part = input[..<count]
        let early = parser.parse(part.span)
        guard case .incomplete = early else { return early }
    }
    return parser.parse(input.span)
}

private func compare(_ one: HeadParse, _ other: HeadParse) {
    switch (one, other) {
    case (.incomplete, .incomplete): break
    case (.refused(let left), .refused(let right)): require(left == right)
    case (.complete(let left, let consumed), .complete(let right, let again)):
        require(consumed == again && left.bytes == right.bytes && left.framing == right.framing)
        require(left.fields.count == right.fields.count && left.keepAlive == right.keepAlive)
    default: require(false)
    }
}

private func check(_ head: RequestHead, _ consumed: Int, _ input: [UInt8]) {
    require(consumed <= input.count && input[..<consumed].suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]))
    require(head.bytes.starts(with: input[..<consumed]))
    require(head.isAsteriskForm ? head.path.elementsEqual([0x2A]) : head.originTarget.first == 0x2F)
    require(head.originTarget.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 && $0 != 0x5C })
    require(head.isHTTP10 || head.host != nil)
    require(head.framing != .chunked || !head.isHTTP10)
    require(head.fields.count + head.droppedUnderscoreNames <= 100)
    for index in head.fields.entries.indices {
        require(!head.fields.name(at: index).isEmpty && !head.fields.name(at: index).contains(0x5F))
        let value = head.fields.value(at: index)
        require(value.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) })
        require(value.first != 0x20 && value.last != 0x20 && value.first != 0x09 && value.last != 0x09)
    }
    var forwarded = head.fieldsKeepingUnderscores { _ in true }
    HopByHop.strip(request: &forwarded)
    let hidden: [StaticString] = [
        "host", "connection", "content-length", "transfer-encoding", "te", "upgrade", "expect",
    ]
    for name in hidden { require(forwarded.first(name, folding: true) == nil) }
    reparse(head, forwarded)
}

/// What goes on, written out again, is a request with the same target and fields: nothing hides in a value.
private func reparse(_ head: RequestHead, _ fields: PairBlock) {
    var text = Array(head.method.name.utf8) + [0x20]
    text += head.originTarget
    text += Array(" HTTP/1.1\r\nHost: a\r\n".utf8)
    for index in fields.entries.indices where !fields.name(at: index).contains(0x5F) {
        let (name, value) = (fields.name(at: index), fields.value(at: index))
        ResponseHeadWriter.appendField(name: name.span, value: value.span, to: &text)
    }
    text += [0x0D, 0x0A]
    // One field more and a few bytes more than the original had may meet a limit.
    switch RequestHeadParser.parse(text.span) {
    case .complete(let again, let consumed):
        require(consumed == text.count && again.originTarget == head.originTarget && again.framing == .none)
    case .refused(let refusal): require([414, 431].contains(refusal.status))
    case .incomplete: require(false)
    }
}

private func pseudoRandom(_ input: [UInt8]) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in input { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash >> 1)
}

private func require(_ condition: Bool, line: Int = #line) {
    if !condition { fatalError("line \(line)") }
}
