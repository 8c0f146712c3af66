import Bytes

/// Takes a `multipart/form-data` body apart (RFC 7578, RFC 2046 5.1.1): strict where two readers could see different fields.
/// Linear in the body, and as large.
package struct MultipartReader {
    private let body: [UInt8]
    private let delimiter: [UInt8]
    private var position = 0

    /// Most bytes of one part's header fields.
    private static let mostHeaders = 8192

    /// `nil` when the body is no such thing, or not whole.
    package static func parts(of body: [UInt8], contentType: ArraySlice<UInt8>) -> [MultipartPart]? {
        guard let boundary = MediaType.parameter("boundary", of: contentType), (1...70).contains(boundary.count) else {
            return nil
        }
        var reader = MultipartReader(body, boundary)
        return reader.parts()
    }

    private init(_ body: [UInt8], _ boundary: ArraySlice<UInt8>) {
        self.body = body
        delimiter = [0x0D, 0x0A, 0x2D, 0x2D] + boundary
    }

    private mutating func parts() -> [MultipartPart]? {
        // The first delimiter may stand at the very beginning; a preamble before it is nobody's.
        if body.starts(with: delimiter.dropFirst(2)) {
            position = delimiter.count - 2
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

    /// Goes behind the next delimiter; where it begins.
    private mutating func passDelimiter() -> Int? {
        while let found = body[position...].firstIndex(of: 0x0D) {
            if body[found...].starts(with: delimiter) {
                position = found + delimiter.count
                return found
            }
            position = found + 1
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
                guard part == nil, MediaType.essence(of: value) == Array("form-data".utf8),
                    let name = MediaType.parameter("name", of: value)
                else { return nil }
                let filename = MediaType.parameter("filename", of: value).map(MultipartReader.unescaped)
                part = MultipartPart(name: MultipartReader.unescaped(name), value: [], filename: filename)
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
