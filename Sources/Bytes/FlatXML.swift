/// XML as signing APIs use it: one root with elements inside, such as `<xml><appid>wx1</appid></xml>`. Reads the elements
/// right inside the root and edits them in place; every other byte stays. A document type is refused: entities that it
/// declares are a way to read files (XXE) and to fill memory.
package struct FlatXML {
    package struct Element {
        /// As written, with a prefix.
        package var name: Range<Int>
        /// Between the tags.
        package var content: Range<Int>
        /// With the tags.
        package var whole: Range<Int>
    }

    /// Nesting that is followed.
    private static let depthLimit = 128

    package let bytes: [UInt8]
    package private(set) var elements: [Element] = []
    /// Where the root's end tag begins.
    package private(set) var end = 0
    private var position = 0

    /// Nil when it is not well-formed, or has a document type.
    package init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        guard skipMisc(), let root = tag(), root.kind == .start, readContent(of: root.name) else { return nil }
        guard skipMisc(), position == bytes.count else { return nil }
    }

    /// Names and values: entities and CDATA sections are undone; of an element with elements inside the markup is the
    /// value.
    package var fields: PairBlock {
        var block = PairBlock()
        for element in elements {
            let name = Array(bytes[element.name])
            let value = Self.text(bytes[element.content])
            block.append(name: name, value: value)
        }
        return block
    }

    /// An element of this name is there.
    package func has(_ name: [UInt8]) -> Bool { elements.contains { name[...] == bytes[$0.name] } }

    /// Adds elements at the end of the root. Nil when the text is no such XML.
    package static func appending(_ added: [(name: [UInt8], value: [UInt8])], to text: [UInt8]) -> [UInt8]? {
        guard let document = FlatXML(text) else { return nil }
        var result = Array(text[..<document.end])
        for element in added {
            result.append(0x3C)
            result += element.name
            result.append(0x3E)
            appendEscaped(element.value, to: &result)
            result += [0x3C, 0x2F]
            result += element.name
            result.append(0x3E)
        }
        return result + text[document.end...]
    }

    /// Cuts the elements with these names out. Nil when nothing had to go or the text is no such XML.
    package static func dropping(_ names: [[UInt8]], from text: [UInt8]) -> [UInt8]? {
        guard !names.isEmpty, let document = FlatXML(text) else { return nil }
        var result: [UInt8] = []
        var copied = 0
        for element in document.elements where names.contains(where: { $0[...] == text[element.name] }) {
            result += text[copied..<element.whole.lowerBound]
            copied = element.whole.upperBound
        }
        return copied == 0 ? nil : result + text[copied...]
    }

    /// As the text of an element.
    package static func appendEscaped(_ text: [UInt8], to output: inout [UInt8]) {
        for byte in text {
            switch byte {
            case 0x26: output.append(contentsOf: "&amp;".utf8)
            case 0x3C: output.append(contentsOf: "&lt;".utf8)
            case 0x3E: output.append(contentsOf: "&gt;".utf8)
            // As it is, a reader would make LF of it.
            case 0x0D: output.append(contentsOf: "&#13;".utf8)
            default: output.append(byte)
            }
        }
    }

    // MARK: Reading

    private enum Kind { case start, end, empty }
    private struct Tag {
        var kind: Kind
        var name: Range<Int>
        var start: Int
    }

    private mutating func readContent(of root: Range<Int>) -> Bool {
        var open: [Tag] = []
        while let next = nextTag() {
            switch next.kind {
            case .empty: if open.isEmpty { add(next.name, position..<position, next.start) }
            case .start:
                guard open.count < Self.depthLimit else { return false }
                open.append(Tag(kind: .start, name: next.name, start: position))
                if open.count == 1 { opened = next.start }
            case .end:
                guard let tag = open.popLast() else {
                    end = next.start
                    return bytes[next.name] == bytes[root]
                }
                guard bytes[tag.name] == bytes[next.name] else { return false }
                if open.isEmpty { add(tag.name, tag.start..<next.start, opened) }
            }
        }
        return false
    }

    /// Where the element right inside the root begins that is being read.
    private var opened = 0

    private mutating func add(_ name: Range<Int>, _ content: Range<Int>, _ start: Int) {
        elements.append(Element(name: name, content: content, whole: start..<position))
    }

    /// The next tag; text, CDATA, comments and processing instructions before it are passed over.
    private mutating func nextTag() -> Tag? {
        while let start = bytes[position...].firstIndex(of: 0x3C) {
            position = start
            if accept("<![CDATA[") {
                guard skip(past: "]]>") else { return nil }
            } else if accept("<!--") {
                guard skip(past: "-->") else { return nil }
            } else if accept("<?") {
                guard skip(past: "?>") else { return nil }
            } else {
                return tag()
            }
        }
        return nil
    }

    private mutating func skipMisc() -> Bool {
        while position < bytes.count {
            if Self.isBlank(bytes[position]) {
                position += 1
            } else if accept("<?") {
                guard skip(past: "?>") else { return false }
            } else if accept("<!--") {
                guard skip(past: "-->") else { return false }
            } else {
                return bytes[position] == 0x3C
            }
        }
        return true
    }

    /// `<name a="b">`, `</name>` or `<name/>` right here.
    private mutating func tag() -> Tag? {
        let start = position
        guard start < bytes.count, bytes[start] == 0x3C else { return nil }
        position += 1
        let isEnd = accept("/")
        let nameStart = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        let name = nameStart..<position
        guard !name.isEmpty else { return nil }
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if byte == 0x3C {
                return nil
            } else if byte == 0x3E {
                let isEmpty = bytes[position - 2] == 0x2F && !isEnd
                return Tag(kind: isEnd ? .end : isEmpty ? .empty : .start, name: name, start: start)
            }
        }
        return nil
    }

    private mutating func accept(_ text: StaticString) -> Bool {
        let wanted = text.bytes
        guard bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func skip(past text: StaticString) -> Bool {
        let wanted = text.bytes
        while position + wanted.count <= bytes.count {
            if bytes[position...].starts(with: wanted) {
                position += wanted.count
                return true
            }
            position += 1
        }
        return false
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte >= 0x80 || [0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
    }
}
