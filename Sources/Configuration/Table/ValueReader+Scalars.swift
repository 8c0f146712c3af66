extension ValueReader where Value == UInt64 {
    /// Nanoseconds.
    static var duration: ValueReader {
        ValueReader(.duration, render: { DurationSyntax.text($0) }) { cursor in
            guard let scalar = cursor.scalar(expected: .duration) else { return nil }
            if let value = DurationSyntax.parse(scalar.text) { return value }
            cursor.report("\(Quoted.text(scalar.text)) is not a duration", hint: "like 500ms, 3s, 5m, 1h")
            return nil
        }
    }

    /// Nanoseconds, at least one.
    static var positiveDuration: ValueReader {
        ValueReader(.duration, render: { DurationSyntax.text($0) }) { cursor in
            guard let value = duration.read(cursor) else { return nil }
            if value > 0 { return value }
            cursor.report("must be longer than 0")
            return nil
        }
    }

    /// Nanoseconds from one request of the gateway's own to the next.
    static var interval: ValueReader {
        ValueReader(.duration, render: { DurationSyntax.text($0) }) { cursor in
            guard let value = duration.read(cursor) else { return nil }
            if value >= DurationSyntax.shortestInterval { return value }
            cursor.report("must be at least \(DurationSyntax.text(DurationSyntax.shortestInterval))")
            return nil
        }
    }

    /// Bytes.
    static var size: ValueReader {
        ValueReader(.size, render: { SizeSyntax.text($0) }) { cursor in
            guard let scalar = cursor.scalar(expected: .size) else { return nil }
            if let value = SizeSyntax.parse(scalar.text) { return value }
            cursor.report("\(Quoted.text(scalar.text)) is not a size", hint: "like 64KiB, 10MiB, 1GiB or plain bytes")
            return nil
        }
    }
}

extension ValueReader where Value == Int {
    /// Bytes, within a range.
    static func size(_ range: ClosedRange<Int>) -> ValueReader {
        ValueReader(.size, render: { SizeSyntax.text(UInt64(clamping: $0)) }) { cursor in
            guard let value = ValueReader<UInt64>.size.read(cursor) else { return nil }
            if let size = Int(exactly: value), range.contains(size) { return size }
            let (low, high) = (UInt64(clamping: range.lowerBound), UInt64(clamping: range.upperBound))
            cursor.report("must be from \(SizeSyntax.text(low)) to \(SizeSyntax.text(high))")
            return nil
        }
    }

    static func integer(_ range: ClosedRange<Int>) -> ValueReader {
        let type = ValueType.integer(range)
        return ValueReader(type, render: { String($0) }) { cursor in
            guard let scalar = cursor.scalar(expected: type) else { return nil }
            // Digits only: YAML's 0x10, 1_000 and 1e3 surprise people.
            let isNumber = !scalar.text.isEmpty && scalar.text.utf8.allSatisfy { $0 &- 0x30 < 10 }
            if isNumber, let value = Int(scalar.text), range.contains(value) { return value }
            cursor.report("expected \(type.name), not \(Quoted.text(scalar.text))")
            return nil
        }
    }
}

extension ValueReader where Value == Bool {
    static var flag: ValueReader {
        ValueReader(.flag, render: { $0 ? "true" : "false" }) { cursor in
            guard let scalar = cursor.scalar(expected: .flag) else { return nil }
            switch scalar.text {
            case "true": return true
            case "false": return false
            default:
                cursor.report("expected true or false, not \(Quoted.text(scalar.text))")
                return nil
            }
        }
    }
}

extension ValueReader where Value == String {
    /// Text without control characters, not empty.
    static func text(_ what: String) -> ValueReader {
        ValueReader(.text(what), render: { $0 }) { cursor in
            guard let scalar = cursor.scalar(expected: .text(what)) else { return nil }
            let text = scalar.text
            if text.isEmpty {
                cursor.report("expected \(what), not nothing")
                return nil
            }
            // NUL would cut the text short in C; line breaks come from a block scalar without "-".
            if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                let isBlock = scalar.style == .literal || scalar.style == .folded
                cursor.report("holds a control character", hint: isBlock ? "use |- or >- to drop the line break" : nil)
                return nil
            }
            return text
        }
    }
}

extension ValueReader {
    /// One of some words.
    static func choice(_ words: [(word: String, value: Value)], render: @escaping (Value) -> String?) -> ValueReader {
        let type = ValueType.choice(words.map(\.word))
        return ValueReader(type, render: render) { cursor in
            guard let scalar = cursor.scalar(expected: type) else { return nil }
            if let found = words.first(where: { $0.word == scalar.text }) { return found.value }
            cursor.report("expected \(type.name), not \(Quoted.text(scalar.text))")
            return nil
        }
    }
}

extension ValueReader where Value == Cursor {
    /// A CEL expression; compiled later, when its names are known.
    static var expression: ValueReader { source(.expression) }
    /// Text with `${...}`; compiled later.
    static var template: ValueReader { source(.template) }

    private static func source(_ type: ValueType) -> ValueReader {
        ValueReader(type) { cursor in cursor.scalar(expected: type).map { _ in cursor } }
    }
}
