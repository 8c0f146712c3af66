import Bytes

/// Takes a `multipart/form-data` body apart (RFC 7578, RFC 2046 5.1.1): strict where two readers could see different fields.
/// Linear in the body, and as large.
package struct MultipartReader {
    private let body: [UInt8]
    private let delimiter: [UInt8]
    private var position = 0
    /// Where each delimiter begins, with the line break before it; the last one closes the body.
    private var starts: [Int] = []

    /// Most bytes of one part's header fields.
    private static let mostHeaders = 8192

    /// `nil` when the body is no such thing, or not whole.
    package static func parts(of body: [UInt8], contentType: ArraySlice<UInt8>) -> [MultipartPart]? {
        read(body, contentType: contentType)?.parts
    }

    /// The same, with where each part stands.
    static func read(_ body: [UInt8], contentType: ArraySlice<UInt8>) -> MultipartBody? {
        guard let boundary = MediaType.parameter("boundary", of: contentType), (1...70).contains(boundary.count) else {
            return nil
        }
        var reader = MultipartReader(body, boundary)
        guard let parts = reader.parts() else { return nil }
        return MultipartBody(bytes: body, boundary: Array(boundary), parts: parts, starts: reader.starts)
    }

    private init(_ body: [UInt8], _ boundary: ArraySlice<UInt8>) {
        self.body = body
        delimiter = [0x0D, 0x0A, 0x2D, 0x2D] + boundary
    }

    private mutating func parts() -> [MultipartPart]? {
        // The first delimiter may stand at the very beginning; a preamble before it is nobody's.
        if body.starts(with: delimiter.dropFirst(2)) {
            position = delimiter.count - 2
            starts.append(0)
        } else {
            guard passDelimiter() != nil else { return nil }
        }
        var parts: [MultipartPart] = []
        while true {
            if body[position...].starts(with: [0x2D, 0x2D]) { return parts }
            // RFC 2046: blanks may follow a boundary; anything else makes it another boundary.
            while position < body.count, body[position] == 0x20 || body[position] == 0x09 { position += 1 }
            guard body[position...].starts(with: [0x0D, 0x0A]) else { return nil }
            position += 2
            guard var part = headers() else { return nil }
            let start = position
            guard let end = passDelimiter() else { return nil }
            // A part without content may leave its line break to the delimiter.
            part.value = Array(body[min(start, end)..<end])
            parts.append(part)
        }
    }

    /// Goes behind the next delimiter; where it begins. A delimiter holds one CR, its first byte, so that what matched in vain
    /// need not be looked at again.
    private mutating func passDelimiter() -> Int? {
        let (bytes, wanted) = (body, delimiter)
        let (text, pattern) = (bytes.span, wanted.span)
        var index = position
        while index + pattern.count <= text.count {
            var matched = 0
            while matched < pattern.count, text[index + matched] == pattern[matched] { matched += 1 }
            if matched == pattern.count {
                position = index + matched
                starts.append(index)
                return index
            }
            index += max(matched, 1)
        }
        return nil
    }

    /// The header fields of a part, up to its content.
    private mutating func headers() -> MultipartPart? {
        var part: MultipartPart?
        var type: [UInt8]?
        let end = position + MultipartReader.mostHeaders
        while position < min(end, body.count) {
            guard let stop = body[position..<min(end, body.count)].firstIndex(of: 0x0D), stop + 1 < body.count,
                body[stop + 1] == 0x0A
            else { return nil }
            let line = body[position..<stop]
            position = stop + 2
            guard !line.isEmpty else {
                part?.type = type
                return part
            }
            // A line feed alone would be the end of the line to a lenient reader.
            guard let colon = line.firstIndex(of: 0x3A), line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else {
                return nil
            }
            let value = ASCII.trimmed(line[(colon + 1)...])
            switch String(decoding: line[..<colon].map(ASCII.lower), as: UTF8.self) {
            case "content-disposition":
                guard part == nil, let disposition = MultipartReader.disposition(value) else { return nil }
                part = disposition
            case "content-type": type = Array(value)
            // RFC 7578 4.7: no encoding but the plain one.
            case "content-transfer-encoding":
                guard ["7bit", "8bit", "binary"].contains(String(decoding: value.map(ASCII.lower), as: UTF8.self))
                else {
                    return nil
                }
            default: break
            }
        }
        return nil
    }

    /// `form-data; name="a"; filename="b"`. Nothing twice, and no `filename*` (RFC 7578 4.2), which some readers honour.
    private static func disposition(_ value: ArraySlice<UInt8>) -> MultipartPart? {
        guard MediaType.essence(of: value) == Array("form-data".utf8) else { return nil }
        var (name, filename): ([UInt8]?, [UInt8]?)
        var index = value.firstIndex(of: 0x3B) ?? value.endIndex
        while index < value.endIndex {
            guard let next = MediaType.parameter(of: value, at: &index) else { return nil }
            switch String(decoding: next.name.map(ASCII.lower), as: UTF8.self) {
            case "name":
                guard name == nil else { return nil }
                name = unescaped(next.text)
            case "filename":
                guard filename == nil else { return nil }
                filename = unescaped(next.text)
            case "filename*": return nil
            default: break
            }
        }
        return name.map { MultipartPart(name: $0, value: [], filename: filename) }
    }

    /// A name as it was before it was quoted. Browsers write `%22`, `%0D` and `%0A` (WHATWG HTML 4.10.22.8), others a
    /// backslash before a quote; any other backslash is part of a file name of Windows.
    private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            if byte == 0x5C, rest.first == 0x22 {
                continue
            } else if byte == 0x25, let plain = escapes.first(where: { rest.starts(with: $0.code) })?.plain {
                output.append(plain)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return output
    }

    private static let escapes: [(code: [UInt8], plain: UInt8)] = [
        ([0x32, 0x32], 0x22), ([0x30, 0x44], 0x0D), ([0x30, 0x41], 0x0A),
    ]
}
