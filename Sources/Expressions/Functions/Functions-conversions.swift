import Bytes
import JSONBytes

extension FunctionTable {
    static let conversions: [Function] = [
        Function(
            "int(int|uint|double|string|timestamp|duration) -> int",
            summary:
                "Whole number: a double is cut towards zero, a string is decimal, a timestamp gives "
                + "Unix seconds, a duration nanoseconds.",
            example: "int('-12') == -12 && int(3.9) == 3",
            body: .unary { value throws(EvaluationError) in try int(value) }),
        Function(
            "uint(int|uint|double|string) -> uint", summary: "Whole number from 0.",
            example: "uint('12') == 12u", body: .unary { value throws(EvaluationError) in try uint(value) }),
        Function(
            "double(int|uint|double|string) -> double", summary: "Floating-point number.",
            example: "double('1e3') == 1000.0", body: .unary { value throws(EvaluationError) in try double(value) }),
        Function(
            "string(bool|int|uint|double|string|bytes|timestamp|duration|null|type) -> string",
            summary: "Text. A number out of JSON keeps its spelling; bytes must be UTF-8; times are RFC 3339 in UTC.",
            example: "string(1.5) == '1.5' && string(b'abc') == 'abc'",
            body: .unary { value throws(EvaluationError) in try string(value) }),
        Function(
            "bytes(string|bytes) -> bytes", summary: "The UTF-8 bytes of a string.", example: "bytes('ab') == b'ab'",
            body: .unary { value throws(EvaluationError) in .bytes(try value.requireContents()) }),
        Function(
            "bool(bool|string) -> bool",
            summary: "`true`, `TRUE`, `True`, `t` and `1` are true; `false`, `FALSE`, `False`, `f` and `0` are false.",
            example: "bool('true')", body: .unary { value throws(EvaluationError) in try bool(value) }),
        Function(
            "type(dyn) -> type", summary: "The type of a value.", example: "type(1) == int",
            body: .unary { value throws(EvaluationError) in .type(value.typeName) }),
        Function(
            "dyn(dyn) -> dyn", summary: "The value, with its type hidden from the checker.", example: "dyn(1) != 'a'",
            body: .unary { value throws(EvaluationError) in value }),
    ]

    private static func int(_ value: Value) throws(EvaluationError) -> Value {
        switch value.resolved {
        case .int: return value.resolved
        case .uint(let number):
            guard let exact = Int64(exactly: number) else { throw EvaluationError(.overflow) }
            return .int(exact)
        case .double(let number):
            // The bounds themselves are out: 2^63 is no int, and -2^63 is left out for symmetry (CEL conformance).
            guard number > -0x1p63, number < 0x1p63 else { throw EvaluationError(.overflow) }
            return .int(Int64(number))
        case .string(let text):
            guard let number = decimal(text) else { throw EvaluationError(.badConversion, "string to int") }
            return .int(number)
        case .timestamp(let time): return .int(time.seconds)
        case .duration(let nanoseconds): return .int(nanoseconds)
        default: throw .overload(value)
        }
    }

    private static func decimal(_ text: ArraySlice<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
        guard let magnitude = ASCII.decimal(digits.span) else { return nil }
        if isNegative {
            return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int64(exactly: magnitude)
    }

    private static func uint(_ value: Value) throws(EvaluationError) -> Value {
        switch value.resolved {
        case .uint: return value.resolved
        case .int(let number):
            guard let exact = UInt64(exactly: number) else { throw EvaluationError(.overflow) }
            return .uint(exact)
        case .double(let number):
            guard number >= 0, number < 0x1p64 else { throw EvaluationError(.overflow) }
            return .uint(UInt64(number))
        case .string(let text):
            guard let number = ASCII.decimal(text.span) else { throw EvaluationError(.badConversion, "string to uint") }
            return .uint(number)
        default: throw .overload(value)
        }
    }

    private static func double(_ value: Value) throws(EvaluationError) -> Value {
        switch value.resolved {
        case .double: return value.resolved
        case .int(let number): return .double(Double(number))
        case .uint(let number): return .double(Double(number))
        case .string(let text):
            guard let number = floating(String(decoding: text, as: UTF8.self)) else {
                throw EvaluationError(.badConversion, "string to double")
            }
            return .double(number)
        default: throw .overload(value)
        }
    }

    /// Decimal notation and the three special names; Swift alone would also take hexadecimal.
    private static func floating(_ text: String) -> Double? {
        switch text {
        case "NaN": return .nan
        case "Infinity", "Inf", "+Infinity", "+Inf": return .infinity
        case "-Infinity", "-Inf": return -.infinity
        default:
            let allowed = text.utf8.allSatisfy { byte in
                ASCII.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "+") || byte | 0x20 == UInt8(ascii: "e")
            }
            return allowed ? Double(text) : nil
        }
    }

    static func string(_ value: Value) throws(EvaluationError) -> Value {
        switch value {
        case .json(let json) where json.kind == .number: return .string(json.raw)
        case .null: return .text("null")
        case .list, .map, .pairs, .pair, .object, .optional: throw .overload(value)
        default: break
        }
        switch value.resolved {
        case .string: return value.resolved
        case .null: return .text("null")
        case .json: throw .overload(value)
        case .bytes(let bytes):
            guard isUTF8(bytes) else { throw EvaluationError(.badConversion, "bytes to string") }
            return .string(bytes)
        default:
            var text: [UInt8] = []
            value.appendText(to: &text)
            return .text(text)
        }
    }

    /// Strict UTF-8: no overlong form, no surrogate.
    static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    private static func bool(_ value: Value) throws(EvaluationError) -> Value {
        let plain = value.resolved
        if case .bool = plain { return plain }
        switch String(decoding: try plain.requireString(), as: UTF8.self) {
        case "1", "t", "T", "true", "TRUE", "True": return .bool(true)
        case "0", "f", "F", "false", "FALSE", "False": return .bool(false)
        default: throw EvaluationError(.badConversion, "string to bool")
        }
    }
}
