import Bytes
import JSONBytes

/// Whatever the bytes: no trap, and what was accepted keeps its promises.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let document = try? JSONDocument(parsing: input) {
        check(document.root, input)
        rewrite(document.root, input)
        spread(document.root)
    }
    if let prefix = try? JSONDocument(parsingPrefixOf: input) {
        require(prefix.endOffset <= input.count)
        // The prefix alone is a whole text with the same value.
        let alone = try? JSONDocument(parsing: Array(input[..<prefix.endOffset]))
        require(alone.map { Array($0.root.raw) } == Array(prefix.root.raw))
    }
    if let start = JSONText.findDocument(input)?.root.startOffset {
        require(input[start] == 0x7B || input[start] == 0x5B)
    }
    _ = try? JSONDocument(parsing: input, limits: JSONLimits(depth: 3, nodes: 5))
    roundTrip(input)
    return 0
}

/// Every accessor on every value; offsets in order; the children count is right.
private func check(_ value: JSONValue, _ input: [UInt8]) {
    require(value.startOffset < value.endOffset && value.endOffset <= input.count)
    _ = (value.int64, value.uint64, value.double, value.boolValue, value.hasLoneSurrogate)
    if let int = value.int64, int >= 0 { require(value.uint64 == UInt64(int)) }
    if let text = value.string {
        require(UTF8Sequence.isValid(text.span))
        require(value.equals(text.span) == !value.hasLoneSurrogate)
        require(value.text.map(Array.init) == text)
    }
    let pointer = [0x2F] + input.prefix(16)
    _ = value.pointer(pointer.span)
    var seen = 0
    var last = value.startOffset
    for element in value.elements {
        require(element.startOffset > last && element.endOffset < value.endOffset)
        last = element.endOffset - 1
        seen += 1
        check(element, input)
    }
    for member in value.members {
        require(member.key.startOffset > last && member.value.startOffset > member.key.endOffset)
        last = member.value.endOffset - 1
        seen += 1
        if let key = member.key.string, !member.key.hasLoneSurrogate { require(value.member(key.span) != nil) }
        check(member.value, input)
    }
    require(value.count == seen)
}

/// Writing a document value by value gives a document with the same strings and numbers.
private func rewrite(_ value: JSONValue, _ input: [UInt8]) {
    var writer = JSONWriter()
    write(value, &writer)
    guard let again = try? JSONDocument(parsing: writer.bytes) else { return require(false) }
    var second = JSONWriter()
    write(again.root, &second)
    require(second.bytes == writer.bytes)
}

/// Tokens that touch are read together, those between blanks one by one: both ways lead to the same document.
private func spread(_ value: JSONValue) {
    var (tight, wide): ([UInt8], [UInt8]) = ([], [])
    lay(value, gap: [], into: &tight)
    lay(value, gap: [0x20, 0x0A], into: &wide)
    for text in [tight, wide] {
        guard let again = try? JSONDocument(parsing: text) else { return require(false) }
        var (second, third): ([UInt8], [UInt8]) = ([], [])
        lay(again.root, gap: [], into: &second)
        lay(again.root, gap: [0x20, 0x0A], into: &third)
        require(second == tight && third == wide)
    }
}

private func lay(_ value: JSONValue, gap: [UInt8], into text: inout [UInt8]) {
    let isObject = value.kind == .object
    guard isObject || value.kind == .array else { return text.append(contentsOf: value.raw) }
    text.append(isObject ? 0x7B : 0x5B)
    for (index, element) in value.elements.enumerated() {
        text += gap + (index > 0 ? [0x2C] : []) + gap
        lay(element, gap: gap, into: &text)
    }
    for (index, member) in value.members.enumerated() {
        text += gap + (index > 0 ? [0x2C] : []) + gap + Array(member.key.raw) + gap + [0x3A] + gap
        lay(member.value, gap: gap, into: &text)
    }
    text += gap
    text.append(isObject ? 0x7D : 0x5D)
}

private func write(_ value: JSONValue, _ writer: inout JSONWriter) {
    switch value.kind {
    case .null: writer.null()
    case .bool: writer.bool(value.boolValue == true)
    case .number: writer.raw(value.raw.span)
    case .string:
        let text = value.string ?? []
        writer.string(text.span)
    case .array:
        writer.beginArray()
        for element in value.elements { write(element, &writer) }
        writer.endArray()
    case .object:
        writer.beginObject()
        for member in value.members {
            let key = member.key.string ?? []
            writer.key(key.span)
            write(member.value, &writer)
        }
        writer.endObject()
    }
}

/// Any bytes make a valid string; valid UTF-8 comes back unchanged.
private func roundTrip(_ input: [UInt8]) {
    for escapesInvisible in [false, true] {
        var writer = JSONWriter(escapesInvisible: escapesInvisible)
        writer.string(input.span)
        guard let document = try? JSONDocument(parsing: writer.bytes) else { return require(false) }
        if UTF8Sequence.isValid(input.span) { require(document.root.string == input) }
    }
}

private func require(_ condition: Bool, line: Int = #line) {
    if !condition { fatalError("promise broken at line \(line)") }
}
