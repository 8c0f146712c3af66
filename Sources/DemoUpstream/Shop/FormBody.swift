import Bytes

/// Bodies from which PHP fills `$_POST`.
enum FormBody {
    /// Reads a form or the text parts of a multipart body; any other type gives nothing, as in PHP.
    static func parse(_ body: [UInt8], contentType: ArraySlice<UInt8>) -> PHPForm {
        let type = contentType.prefix { $0 != 0x3B && $0 != 0x20 }.map { ASCII.lower($0) }
        if type == Array("application/x-www-form-urlencoded".utf8) { return PHPForm(body.span) }
        guard type == Array("multipart/form-data".utf8), let boundary = parameter("boundary", of: contentType) else {
            return PHPForm()
        }
        return multipart(body, boundary: boundary)
    }

    /// Text parts only: PHP puts files into `$_FILES`, which is not signed.
    private static func multipart(_ body: [UInt8], boundary: [UInt8]) -> PHPForm {
        var form = PHPForm()
        let delimiter = [0x2D, 0x2D] + boundary
        var cursor = find(delimiter, in: body, from: 0).map { $0 + delimiter.count }
        while let start = cursor, let end = find([0x0D, 0x0A] + delimiter, in: body, from: start) {
            cursor = end + 2 + delimiter.count
            guard let headEnd = find([0x0D, 0x0A, 0x0D, 0x0A], in: body, from: start), headEnd <= end else { continue }
            let head = body[start..<headEnd]
            guard parameter("filename", of: head) == nil, let name = parameter("name", of: head) else { continue }
            form.set(name, to: Array(body[Swift.min(headEnd + 4, end)..<end]))
        }
        return form
    }

    /// `; name="value"` or `; name=value`, the first one. Enough for what clients send; no escapes inside quotes.
    private static func parameter(_ name: String, of field: ArraySlice<UInt8>) -> [UInt8]? {
        let text = Array(field)
        let lowered = text.map { ASCII.lower($0) }
        var from = 0
        while let found = find(Array((name + "=").utf8), in: lowered, from: from) {
            from = found + 1
            // Not the end of a longer name: `filename=` holds `name=`.
            guard found > 0, [0x20, 0x3B, 0x09].contains(text[found - 1]) else { continue }
            let value = text[(found + name.utf8.count + 1)...]
            if value.first == 0x22 { return Array(value.dropFirst().prefix { $0 != 0x22 }) }
            return Array(value.prefix { $0 != 0x3B && $0 != 0x0D && $0 != 0x20 })
        }
        return nil
    }

    private static func find(_ needle: [UInt8], in haystack: [UInt8], from: Int) -> Int? {
        guard from >= 0, haystack.count - from >= needle.count, let first = needle.first else { return nil }
        let last = haystack.count - needle.count
        var index = from
        while index <= last {
            if haystack[index] == first, haystack[index..<index + needle.count].elementsEqual(needle) { return index }
            index += 1
        }
        return nil
    }
}
