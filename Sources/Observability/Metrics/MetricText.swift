import Bytes

/// Pieces of the Prometheus text format.
enum MetricText {
    /// Backslash and line feed, in label values also the quote, get a backslash. Bytes that are no UTF-8 become U+FFFD: one
    /// bad byte makes Prometheus refuse the whole scrape.
    static func appendEscaped(_ text: [UInt8], escapesQuote: Bool, to output: inout [UInt8]) {
        var index = 0
        while index < text.count {
            let length = UTF8Sequence.length(text.span, at: index)
            switch text[index] {
            case 0x5C: output.append(contentsOf: [0x5C, 0x5C])
            case 0x0A: output.append(contentsOf: [0x5C, 0x6E])
            case 0x22 where escapesQuote: output.append(contentsOf: [0x5C, 0x22])
            default:
                if length == 0 {
                    output.append(contentsOf: [0xEF, 0xBF, 0xBD])
                } else {
                    output.append(contentsOf: text[index..<index + length])
                }
            }
            index += max(1, length)
        }
    }

    /// `name_suffix{labels,extra} `, up to the value.
    static func appendName(
        _ name: [UInt8], suffix: StaticString = "", labels: [UInt8], extra: [UInt8] = [], to output: inout [UInt8]
    ) {
        output.append(contentsOf: name)
        output.append(contentsOf: suffix.bytes)
        if !labels.isEmpty || !extra.isEmpty {
            output.append(0x7B)
            output.append(contentsOf: labels)
            if !labels.isEmpty, !extra.isEmpty { output.append(0x2C) }
            output.append(contentsOf: extra)
            output.append(0x7D)
        }
        output.append(0x20)
    }

    static func append(_ value: Double, to output: inout [UInt8]) {
        if value.isNaN {
            output.append(contentsOf: "NaN".utf8)
        } else if value.isInfinite {
            output.append(contentsOf: (value < 0 ? "-Inf" : "+Inf").utf8)
        } else {
            // Not `Int64(exactly:)`: that calls libm, which an executable without Glibc import does not link.
            let text = value.description.utf8
            output.append(contentsOf: text.suffix(2).elementsEqual(".0".utf8) ? text.dropLast(2) : text[...])
        }
    }

    /// `value / 10^decimals` without trailing zeros: 500000 with 9 decimals is `0.0005`.
    static func append(_ value: UInt64, decimals: Int, to output: inout [UInt8]) {
        var scale: UInt64 = 1
        for _ in 0..<decimals { scale *= 10 }
        output.append(decimal: value / scale)
        guard value % scale > 0 else { return }
        output.append(0x2E)
        let start = output.count
        // The leading 1 keeps the zeros behind the point; it is dropped right away.
        output.append(decimal: value % scale + scale)
        output.remove(at: start)
        while output.last == 0x30 { output.removeLast() }
    }
}
