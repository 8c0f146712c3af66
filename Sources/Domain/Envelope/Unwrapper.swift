import Bytes
import JSONBytes

/// Finds the JSON in the body of an answer by the steps that an envelope declares, always in this order: charset label, byte
/// order mark, XSSI prefix, JSONP call, text before the JSON. Ranges only; the body is not copied.
package enum Unwrapper {
    /// Longest prefix that is looked at for XSSI and JSONP.
    private static let prefixBytes = 256
    private static let xssiPrefixes: [[UInt8]] = [
        ")]}',", ")]}'", "while(1);", "while (1);", "for(;;);", "for (;;);", "{}&&", "throw 1; < don't be evil' >",
    ].map { Array($0.utf8) }

    /// - Throws: `bad_answer` when the label or the mark names a charset that is not UTF-8.
    package static func range(
        of body: [UInt8], contentType: ArraySlice<UInt8>?, steps: [EnvelopePlan.Unwrap]
    ) throws(GatewayError) -> Range<Int> {
        var range = 0..<body.count
        if steps.contains(.charset), let contentType { try checkCharset(contentType) }
        if steps.contains(.bom) { range = try withoutMark(body, range) }
        if steps.contains(.xssi) { range = withoutXSSI(body, range) }
        if steps.contains(.jsonp) { range = withoutCall(body, range) }
        if steps.contains(.skipToJSON) { range = fromJSON(body, range) }
        return range
    }

    private static let utf8Labels = ["utf-8", "utf8", "us-ascii", "ascii", "unicode-1-1-utf-8", ""].map {
        Array($0.utf8)
    }

    /// Labels in use for UTF-8 and its subset. Others are refused rather than guessed: mojibake would be signed, cached and
    /// shown before anybody noticed.
    private static func checkCharset(_ contentType: ArraySlice<UInt8>) throws(GatewayError) {
        guard let label = MediaType.charset(of: contentType) else { return }
        if OwnedFields.contains(utf8Labels, label.span, folding: true) { return }
        let lower = String(decoding: label.map(ASCII.lower), as: UTF8.self)
        let isWord = lower.utf8.allSatisfy { ASCII.isAlpha($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F }
        let shown = isWord && lower.utf8.count <= 32 ? lower : "of that name"
        throw GatewayError(.badAnswer, detail: "charset \(shown) is not supported")
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

    /// `/**/callback({...});`: the name is an identifier path, the call ends the text.
    private static func withoutCall(_ body: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var index = skipBlank(body, range)
        if body[index..<range.upperBound].starts(with: [0x2F, 0x2A, 0x2A, 0x2F]) {
            index = skipBlank(body, index + 4..<range.upperBound)
        }
        let name = index
        while index < range.upperBound, index - name <= prefixBytes, isNameByte(body[index]) { index += 1 }
        guard index > name, index < range.upperBound, !ASCII.isDigit(body[name]), body[index] == 0x28 else {
            return range
        }
        var end = range.upperBound
        while end > index + 1, isBlank(body[end - 1]) || body[end - 1] == 0x3B { end -= 1 }
        guard end > index + 1, body[end - 1] == 0x29 else { return range }
        return index + 1..<end - 1
    }

    /// PHP prints its notices before the JSON. A text that begins with `{` is taken as it is; one that begins with `[` may
    /// be a notice (`[Warning] ...`), so that the search decides.
    private static func fromJSON(_ body: [UInt8], _ range: Range<Int>) -> Range<Int> {
        let start = skipBlank(body, range)
        guard start < range.upperBound, body[start] != 0x7B else { return start..<range.upperBound }
        if range.upperBound == body.count, range.lowerBound == 0 {
            return (JSONText.findStart(body) ?? start)..<range.upperBound
        }
        let part = Array(body[range])
        return (JSONText.findStart(part).map { $0 + range.lowerBound } ?? start)..<range.upperBound
    }

    private static func skipBlank(_ body: [UInt8], _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, isBlank(body[index]) { index += 1 }
        return index
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == 0x5F || byte == 0x24 || byte == 0x2E || byte == 0x5B
            || byte == 0x5D
    }
}
