import Bytes
import JSONBytes

/// Finds the JSON (or XML) in the body of an answer by the steps that an envelope declares, always in the order of
/// `UnwrapStep.rank`; the content coding goes first, asked or not. Ranges where possible.
package enum Unwrapper {
    private static let xssiPrefixes: [[UInt8]] = [
        ")]}',", ")]}'", "while(1);", "while (1);", "for(;;);", "for (;;);", "{}&&", "throw 1; < don't be evil' >",
    ].map { Array($0.utf8) }

    /// - Parameters:
    ///   - steps: in their order.
    ///   - limit: most bytes that a content coding may decode to.
    /// - Throws: `bad_answer` when a content coding or charset is unknown or does not fit the bytes.
    package static func unwrap(
        _ body: [UInt8], contentType: ArraySlice<UInt8>? = nil, contentEncoding: ArraySlice<UInt8>? = nil,
        steps: [UnwrapStep], limit: Int = ResponseView.loginLimit
    ) throws(GatewayError) -> Unwrapped {
        var text = Unwrapped(try decode(body, codings(contentEncoding), limit: limit))
        try decodeCharset(&text, contentType: contentType, steps: steps)
        for step in steps {
            switch step {
            case .charset, .charsetIs, .charsetFallback: break
            case .bom: text.narrow(to: try withoutMark(text.bytes, text.range))
            case .xssi: text.narrow(to: withoutXSSI(text.bytes, text.range))
            case .jsonp: text.narrow(to: withoutScript(text.bytes, text.range))
            case .skipToJSON: skipToJSON(&text)
            case .xmlText(let name): xmlText(name, &text)
            case .pointer(let path): pointer(path, &text)
            case .jsonString: jsonString(&text)
            case .unwrapKey(let glob): unwrapKey(glob, &text)
            }
        }
        return text
    }

    private static func withoutMark(_ body: [UInt8], _ range: Range<Int>) throws(GatewayError) -> Range<Int> {
        if body[range].starts(with: [0xEF, 0xBB, 0xBF]) { return range.lowerBound + 3..<range.upperBound }
        if body[range].starts(with: [0xFE, 0xFF]) || body[range].starts(with: [0xFF, 0xFE]) {
            throw GatewayError(.badAnswer, detail: "charset utf-16 is not supported")
        }
        return range
    }

    private static func withoutXSSI(_ body: [UInt8], _ range: Range<Int>) -> Range<Int> {
        let start = skipBlank(body, range)
        for prefix in xssiPrefixes where body[start..<range.upperBound].starts(with: prefix) {
            return start + prefix.count..<range.upperBound
        }
        return range
    }

    /// PHP prints its notices before the JSON. A text that begins with `{` is taken as it is; one that begins with `[` may
    /// be a notice (`[Warning] ...`), so that the search decides.
    private static func skipToJSON(_ text: inout Unwrapped) {
        let start = skipBlank(text.bytes, text.range)
        guard start < text.range.upperBound, text.bytes[start] != 0x7B else {
            return text.narrow(to: start..<text.range.upperBound)
        }
        let isWhole = text.range.lowerBound == 0 && text.range.upperBound == text.bytes.count
        guard let document = JSONText.findDocument(isWhole ? text.bytes : Array(text.rest)) else {
            return text.narrow(to: start..<text.range.upperBound)
        }
        text.descend(to: document.root)
    }

    static func skipBlank(_ body: [UInt8], _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, isBlank(body[index]) { index += 1 }
        return index
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
