import Bytes

/// String functions; indices count code points, as CEL wants. Bytes that are no UTF-8 count as they come.
enum Text {
    /// Byte index of a code point; the count of code points gives the end, more gives `nil`.
    static func position(_ index: Int, in text: ArraySlice<UInt8>) -> Int? {
        guard index >= 0 else { return nil }
        var (left, position) = (index, text.startIndex)
        while left > 0 {
            guard position < text.endIndex else { return nil }
            position = next(position, in: text)
            left -= 1
        }
        return position
    }

    private static func next(_ position: Int, in text: ArraySlice<UInt8>) -> Int {
        var end = position + 1
        while end < text.endIndex, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    private static func previous(_ position: Int, in text: ArraySlice<UInt8>) -> Int {
        var start = position - 1
        while start > text.startIndex, text[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }

    static func character(of text: ArraySlice<UInt8>, at index: Int) throws(EvaluationError) -> Value {
        guard let start = position(index, in: text) else { throw EvaluationError(.indexOutOfRange) }
        return .string(start == text.endIndex ? [] : text[start..<next(start, in: text)])
    }

    static func index(_ values: [Value], last: Bool) throws(EvaluationError) -> Value {
        let (text, part) = (try values[0].requireString(), try values[1].requireString())
        let from = values.count > 2 ? try values[2].requireInt() : nil
        if let from, from < 0 || from > Value.codePoints(text) { throw EvaluationError(.indexOutOfRange) }
        var found: Int?
        if last {
            let limit = from.flatMap { position($0, in: text) } ?? text.endIndex
            found = ByteSearch.last(part, in: text, upTo: limit)
        } else {
            found = ByteSearch.first(part, in: text, from: from.flatMap { position($0, in: text) })
        }
        return .int(found.map { Int64(Value.codePoints(text[text.startIndex..<$0])) } ?? -1)
    }

    static func substring(_ values: [Value]) throws(EvaluationError) -> Value {
        let text = try values[0].requireString()
        let start = try values[1].requireInt()
        guard let from = position(start, in: text) else { throw EvaluationError(.indexOutOfRange) }
        guard values.count > 2 else { return .string(text[from...]) }
        let end = try values[2].requireInt()
        guard end >= start, let to = position(end, in: text) else { throw EvaluationError(.indexOutOfRange) }
        return .string(text[from..<to])
    }

    /// How often at most. Negative means without limit; as it stands, counting it down would pass the least integer.
    private static func limit(_ values: [Value], at index: Int) throws(EvaluationError) -> Int {
        let count = values.count > index ? try values[index].requireInt() : -1
        return count < 0 ? .max : count
    }

    static func replace(_ values: [Value]) throws(EvaluationError) -> Value {
        let (text, old) = (try values[0].requireString(), try values[1].requireString())
        let new = try values[2].requireString()
        var left = try limit(values, at: 3)
        var (output, position): ([UInt8], Int) = ([], text.startIndex)
        while left != 0, let found = ByteSearch.first(old, in: text, from: position) {
            output.append(contentsOf: text[position..<found])
            output.append(copying: new.span)
            position = found + old.count
            left -= 1
            guard output.count <= Function.outputLimit else { throw EvaluationError(.tooLarge) }
            guard old.isEmpty else { continue }
            // An empty text is found before every code point and at the end.
            guard position < text.endIndex else { break }
            let end = next(position, in: text)
            output.append(contentsOf: text[position..<end])
            position = end
        }
        output.append(contentsOf: text[position...])
        return .text(output)
    }

    static func split(_ values: [Value]) throws(EvaluationError) -> Value {
        let (text, separator) = (try values[0].requireString(), try values[1].requireString())
        var left = try limit(values, at: 2)
        if left == 0 { return .list([]) }
        var (parts, position): ([Value], Int) = ([], text.startIndex)
        while left != 1 {
            let end: Int
            if separator.isEmpty {
                guard position < text.endIndex else { break }
                end = next(position, in: text)
                if end == text.endIndex { break }
            } else {
                guard let found = ByteSearch.first(separator, in: text, from: position) else { break }
                end = found
            }
            parts.append(.string(text[position..<end]))
            position = end + separator.count
            left -= 1
            guard parts.count <= Function.elementLimit else { throw EvaluationError(.tooLarge) }
        }
        if !separator.isEmpty || position < text.endIndex { parts.append(.string(text[position...])) }
        return .list(parts)
    }

    static func reversed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var end = text.endIndex
        while end > text.startIndex {
            let start = previous(end, in: text)
            output.append(contentsOf: text[start..<end])
            end = start
        }
        return output
    }

    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var (start, end) = (text.startIndex, text.endIndex)
        while start < end, isBlank(text[start..<next(start, in: text)]) { start = next(start, in: text) }
        while start < end, isBlank(text[previous(end, in: text)..<end]) { end = previous(end, in: text) }
        return text[start..<end]
    }

    private static func isBlank(_ character: ArraySlice<UInt8>) -> Bool {
        if let byte = character.first, byte < 0x80 { return byte == 0x20 || 0x09...0x0D ~= byte }
        return String(decoding: character, as: UTF8.self).unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    }

    /// Without blanks (SP, HTAB) at the ends, and with one SP for several inside.
    static func collapsed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        for byte in ASCII.trimmed(text) {
            let isBlank = byte == 0x20 || byte == 0x09
            if isBlank, output.last == 0x20 { continue }
            output.append(isBlank ? 0x20 : byte)
        }
        return output
    }

    static func quoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = [UInt8(ascii: "\"")]
        let escapes: [UInt8: Character] = [
            0x07: "a", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t", 0x0B: "v", 0x22: "\"", 0x5C: "\\",
        ]
        for byte in String(decoding: text, as: UTF8.self).utf8 {
            if let escape = escapes[byte] {
                output.append(UInt8(ascii: "\\"))
                output.append(contentsOf: String(escape).utf8)
            } else {
                output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
        return output
    }
}
