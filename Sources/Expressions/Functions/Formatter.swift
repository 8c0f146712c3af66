import Bytes

/// `"...".format([...])`: the clauses of the CEL string extension.
enum Formatter {
    static func format(_ text: ArraySlice<UInt8>, _ arguments: [Value]) throws(EvaluationError) -> Value {
        var output: [UInt8] = []
        var (position, used) = (text.startIndex, 0)
        while position < text.endIndex {
            guard text[position] == UInt8(ascii: "%") else {
                output.append(text[position])
                position += 1
                continue
            }
            position += 1
            let precision = try precision(text, &position)
            guard position < text.endIndex else { throw .argument("format clause is cut short") }
            let verb = text[position]
            position += 1
            if verb == UInt8(ascii: "%") {
                output.append(verb)
                continue
            }
            guard used < arguments.count else { throw .argument("format has more clauses than values") }
            try append(arguments[used], verb: verb, precision: precision, to: &output)
            used += 1
            guard output.count <= Function.outputLimit else { throw EvaluationError(.tooLarge) }
        }
        return .text(output)
    }

    private static func precision(_ text: ArraySlice<UInt8>, _ position: inout Int) throws(EvaluationError) -> Int? {
        guard position < text.endIndex, text[position] == UInt8(ascii: ".") else { return nil }
        position += 1
        var value: Int?
        while position < text.endIndex, ASCII.isDigit(text[position]) {
            value = (value ?? 0) * 10 + Int(text[position] - 0x30)
            guard value ?? 0 <= 100 else { throw .argument("format precision") }
            position += 1
        }
        guard let value else { throw .argument("format precision") }
        return value
    }

    private static func append(
        _ value: Value, verb: UInt8, precision: Int?, to output: inout [UInt8]
    ) throws(EvaluationError) {
        switch verb {
        case UInt8(ascii: "s"): try appendString(value, to: &output)
        case UInt8(ascii: "d"): try appendInteger(value, radix: 10, uppercase: false, to: &output)
        case UInt8(ascii: "b"):
            if let flag = value.bool {
                output.append(flag ? 0x31 : 0x30)
            } else {
                try appendInteger(value, radix: 2, uppercase: false, to: &output)
            }
        case UInt8(ascii: "o"): try appendInteger(value, radix: 8, uppercase: false, to: &output)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            let isUpper = verb == UInt8(ascii: "X")
            if let bytes = value.contents {
                output.append(contentsOf: Hex.encode(bytes.span, upper: isUpper))
            } else {
                try appendInteger(value, radix: 16, uppercase: isUpper, to: &output)
            }
        case UInt8(ascii: "f"): DecimalText.append(fixed: try number(value), decimals: precision ?? 6, to: &output)
        case UInt8(ascii: "e"):
            DecimalText.append(scientific: try number(value), decimals: precision ?? 6, to: &output)
        default: throw .argument("unknown format clause; known: %s %d %f %.2f %e %x %X %o %b %%")
        }
    }

    private static func number(_ value: Value) throws(EvaluationError) -> Double {
        switch value.resolved {
        case .double(let number): return number
        case .int(let number): return Double(number)
        case .uint(let number): return Double(number)
        default: throw .overload(value)
        }
    }

    private static func appendInteger(
        _ value: Value, radix: Int, uppercase: Bool, to output: inout [UInt8]
    ) throws(EvaluationError) {
        switch value.resolved {
        case .int(let number): output.append(contentsOf: String(number, radix: radix, uppercase: uppercase).utf8)
        case .uint(let number): output.append(contentsOf: String(number, radix: radix, uppercase: uppercase).utf8)
        case .double(let number) where !number.isFinite && radix == 10: Value.append(number, to: &output)
        default: throw .overload(value)
        }
    }

    /// As `string()`, and lists and maps in the notation of CEL with the keys in order.
    private static func appendString(_ value: Value, to output: inout [UInt8]) throws(EvaluationError) {
        if let elements = value.elements {
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(contentsOf: ", ".utf8) }
                try appendString(element, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        } else if let map = value.asMap {
            var entries: [(key: [UInt8], value: Value)] = []
            for entry in map.entries {
                var key: [UInt8] = []
                entry.key.appendText(to: &key)
                entries.append((key, entry.value))
            }
            entries.sort { Value.order($0.key.span, $1.key.span) == .less }
            output.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { output.append(contentsOf: ", ".utf8) }
                output.append(contentsOf: entry.key)
                output.append(contentsOf: ": ".utf8)
                try appendString(entry.value, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        } else {
            let text = try FunctionTable.string(value)
            text.appendText(to: &output)
        }
    }
}
