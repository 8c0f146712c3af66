import Bytes

/// One value of a `JSONDocument`. Two words; holding one keeps the whole document alive.
package struct JSONValue: Sendable {
    package let document: JSONDocument
    let node: Int32

    /// `node` must be an index of `document.nodes`.
    init(document: JSONDocument, node: Int) {
        self.document = document
        self.node = Int32(truncatingIfNeeded: node)
    }

    var header: JSONNode { document.nodes[Int(node)] }

    package var kind: JSONKind { header.kind }
    package var isNull: Bool { header.kind == .null }

    /// The value's bytes exactly as received: quotes, escapes, number spelling and inner blanks included.
    package var raw: ArraySlice<UInt8> {
        let header = header
        return document.bytes[Int(header.start)..<Int(header.end)]
    }

    /// Index of the value's first byte in `document.bytes`.
    package var startOffset: Int { Int(header.start) }
    /// One past the value's last byte in `document.bytes`.
    package var endOffset: Int { Int(header.end) }

    /// Elements or members; 0 for other kinds.
    package var count: Int {
        let header = header
        if header.count < .max { return Int(header.count) }
        return header.kind == .array
            ? elements.reduce(0) { total, _ in total + 1 } : members.reduce(0) { n, _ in n + 1 }
    }

    /// Values and keys inside, at any depth, and the value itself.
    package var nodeCount: Int {
        let header = header
        return header.kind == .array || header.kind == .object ? Int(header.next) - Int(node) : 1
    }

    /// Elements or members, or more than there are: what is known without a walk.
    package var mostCount: Int {
        let header = header
        return header.count < .max ? Int(header.count) : nodeCount
    }

    /// `nil` for another kind.
    package var boolValue: Bool? {
        let header = header
        return header.kind == .bool ? header.flags & JSONNode.isTrue != 0 : nil
    }

    /// The number, when its token has neither fraction nor exponent and fits; `nil` otherwise, never rounded.
    package var int64: Int64? {
        let header = header
        guard header.kind == .number, header.flags & JSONNode.integral != 0 else { return nil }
        let bytes = document.bytes
        let isNegative = bytes[Int(header.start)] == 0x2D
        let digits = bytes.span.extracting(Int(header.start) + (isNegative ? 1 : 0)..<Int(header.end))
        guard let magnitude = ASCII.decimal(digits) else { return nil }
        if isNegative {
            return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int64(exactly: magnitude)
    }

    /// As `int64`, for tokens without a minus sign (`-0` is 0).
    package var uint64: UInt64? {
        let header = header
        guard header.kind == .number, header.flags & JSONNode.integral != 0 else { return nil }
        let bytes = document.bytes
        guard bytes[Int(header.start)] != 0x2D else { return int64 == 0 ? 0 : nil }
        return ASCII.decimal(bytes.span.extracting(Int(header.start)..<Int(header.end)))
    }

    /// The nearest double; `nil` for another kind and for a number beyond the range (`1e400`).
    package var double: Double? {
        guard header.kind == .number else { return nil }
        guard let value = Double(String(decoding: raw, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// The string's content, unescaped, as UTF-8. A surrogate escape without partner reads as U+FFFD: check
    /// `hasLoneSurrogate` where that matters. `\u0000` is a zero byte. `nil` for another kind.
    package var string: [UInt8]? {
        guard let content else { return nil }
        guard hasEscapes else { return Array(content) }
        var output: [UInt8] = []
        JSONEscape.decode(content.span, into: &output)
        return output
    }

    /// The string's content without a copy; `nil` when it holds escapes, and for another kind.
    package var stringSlice: ArraySlice<UInt8>? { hasEscapes ? nil : content }

    /// The string's content: without a copy where possible, unescaped (`string`) where not.
    package var text: ArraySlice<UInt8>? { stringSlice ?? string.map { $0[...] } }

    /// The string holds a backslash.
    package var hasEscapes: Bool { header.flags & JSONNode.escaped != 0 }

    /// The string holds half of a surrogate pair: no Unicode text says the same.
    package var hasLoneSurrogate: Bool { header.flags & JSONNode.loneSurrogate != 0 }

    /// Whether the string's content, unescaped, is exactly these bytes. A string with a lone surrogate equals nothing,
    /// or U+FFFD would. No allocation unless the string holds escapes.
    package func equals(_ text: Span<UInt8>) -> Bool {
        let header = header
        guard header.kind == .string, header.flags & JSONNode.loneSurrogate == 0 else { return false }
        if header.flags & JSONNode.escaped == 0 {
            guard Int(header.end &- header.start) == text.count + 2 else { return false }
            let bytes = document.bytes
            return ASCII.equal(bytes.span.extracting(Int(header.start) + 1..<Int(header.end) - 1), text)
        }
        guard Int(header.end &- header.start) > text.count + 2, let string else { return false }
        return ASCII.equal(string.span, text)
    }

    /// Between the quotes, still escaped.
    private var content: ArraySlice<UInt8>? {
        let header = header
        guard header.kind == .string else { return nil }
        return document.bytes[Int(header.start) + 1..<Int(header.end) - 1]
    }
}
