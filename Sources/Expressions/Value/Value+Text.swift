import Bytes
import JSONBytes

extension Value {
    /// The value as text, for templates: a string as it is, numbers as `string()` gives them, a number out of JSON
    /// as its own token (`10.10` stays `10.10`), bytes as they are, null and an empty optional as nothing, lists and
    /// maps as JSON.
    package func appendText(to output: inout [UInt8]) {
        switch self {
        case .null, .object, .optional(nil): break
        case .optional(.some(let inner)): inner.appendText(to: &output)
        case .bool(let flag): output.append(contentsOf: flag ? "true".utf8 : "false".utf8)
        case .int(let number): output.append(decimal: number)
        case .uint(let number): output.append(decimal: number)
        case .double(let number): Value.append(number, to: &output)
        case .string(let text): output.append(copying: text.span)
        case .bytes(let bytes): output.append(copying: bytes.span)
        case .timestamp(let time): time.appendRFC3339(to: &output)
        case .duration(let nanoseconds): Value.append(duration: nanoseconds, to: &output)
        case .type(let name): output.append(contentsOf: name.name.utf8)
        case .json(let json):
            switch json.kind {
            case .null: break
            case .string: output.append(contentsOf: json.text ?? [])
            default: output.append(copying: json.raw.span)
            }
        case .list, .map, .pairs, .pair: appendJSON(to: &output)
        }
    }

    /// The value as JSON: parts of a JSON document verbatim; bytes as base 64; times and durations as strings;
    /// doubles that JSON cannot write and host objects as null.
    package func appendJSON(to output: inout [UInt8]) {
        switch self {
        case .null, .object, .optional(nil): output.append(contentsOf: "null".utf8)
        case .optional(.some(let inner)): inner.appendJSON(to: &output)
        case .json(let json): output.append(copying: json.raw.span)
        case .bool, .int, .uint: appendText(to: &output)
        case .double(let number):
            if number.isFinite { Value.append(number, to: &output) } else { output.append(contentsOf: "null".utf8) }
        case .string(let text): Value.append(quoted: text, to: &output)
        case .bytes(let bytes): Value.append(quoted: Value.base64(bytes)[...], to: &output)
        case .timestamp, .duration, .type:
            var text: [UInt8] = []
            appendText(to: &text)
            Value.append(quoted: text[...], to: &output)
        case .list, .pairs: appendArray(to: &output)
        case .map: appendMembers(to: &output)
        case .pair(let record):
            output.append(contentsOf: "{\"name\":".utf8)
            Value.append(quoted: record.name, to: &output)
            output.append(contentsOf: ",\"value\":".utf8)
            Value.append(quoted: record.value, to: &output)
            output.append(UInt8(ascii: "}"))
        }
    }

    private func appendArray(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        if var cursor = ElementCursor(self) {
            var isFirst = true
            while let element = cursor.next() {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                element.appendJSON(to: &output)
            }
        }
        output.append(UInt8(ascii: "]"))
    }

    private func appendMembers(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for entry in asMap?.entries ?? [] {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            var key: [UInt8] = []
            entry.key.appendText(to: &key)
            Value.append(quoted: key[...], to: &output)
            output.append(UInt8(ascii: ":"))
            entry.value.appendJSON(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func append(quoted text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        JSONText.appendEscaped(text.span, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// A whole double is written without a fraction up to 2^53; others as the shortest text that reads back the same.
    static func append(_ number: Double, to output: inout [UInt8]) {
        if number.magnitude < 9_007_199_254_740_992, let whole = Int64(exactly: number) {
            if whole == 0, number.sign == .minus { output.append(UInt8(ascii: "-")) }
            output.append(decimal: whole)
        } else if number.isNaN {
            output.append(contentsOf: "NaN".utf8)
        } else if number.isInfinite {
            output.append(contentsOf: number < 0 ? "-Infinity".utf8 : "Infinity".utf8)
        } else {
            output.append(contentsOf: number.description.utf8)
        }
    }

    /// Seconds with up to nine decimals: `3s`, `-1.5s`, `0.000000001s`.
    static func append(duration nanoseconds: Int64, to output: inout [UInt8]) {
        if nanoseconds < 0 { output.append(UInt8(ascii: "-")) }
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        output.append(decimal: seconds)
        Timestamp.append(fraction: rest, to: &output)
        output.append(UInt8(ascii: "s"))
    }
}
