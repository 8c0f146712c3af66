import Bytes

/// Takes a `multipart/form-data` body apart (RFC 7578, RFC 2046 5.1.1): strict where two readers could see different fields.
/// Some take another boundary of several, some read on behind the end, some take LF or CR for a line break or find a
/// delimiter amid a line (Tornado): so the delimiter stands nowhere but in whole lines of its own, from the first to the last
/// line. Linear in the body, and as large.
package struct MultipartReader {
    private let body: [UInt8]
    /// The dashes and the boundary.
    private let delimiter: [UInt8]
    /// For each byte of the delimiter: as far as it still matches when the next byte does not (Knuth, Morris, Pratt). Many
    /// boundaries begin with dashes, and a body of dashes must not take the square.
    private let restarts: [Int]
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
        guard let boundary = boundary(of: contentType) else { return nil }
        var reader = MultipartReader(body, boundary)
        guard let parts = reader.parts() else { return nil }
        return MultipartBody(bytes: body, boundary: Array(boundary), parts: parts, starts: reader.starts)
    }

    /// `nil` when there is none that all readers understand in one way.
    package static func boundary(of contentType: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let boundary = MediaType.only("boundary", of: contentType), (1...70).contains(boundary.count),
            isBoundary(boundary, isQuoted: contentType[boundary.startIndex - 1] == 0x22)
        else { return nil }
        return boundary
    }

    private init(_ body: [UInt8], _ boundary: ArraySlice<UInt8>) {
        self.body = body
        let delimiter = [0x2D, 0x2D] + boundary
        var (restarts, matched) = ([0], 0)
        for byte in delimiter.dropFirst() {
            while matched > 0, byte != delimiter[matched] { matched = restarts[matched - 1] }
            if byte == delimiter[matched] { matched += 1 }
            restarts.append(matched)
        }
        (self.delimiter, self.restarts) = (delimiter, restarts)
    }

    /// Printable, and nothing that ends it early for some: PHP stops at a comma, others at a blank outside of quotes.
    private static func isBoundary(_ text: ArraySlice<UInt8>, isQuoted: Bool) -> Bool {
        text.last != 0x20
            && text.allSatisfy { byte in
                switch byte {
                case 0x22, 0x2C, 0x3B, 0x5C: false
                case 0x20: isQuoted
                default: byte > 0x20 && byte < 0x7F
                }
            }
    }

    private mutating func parts() -> [MultipartPart]? {
        // A line break may come first: it is what stays of an empty preamble.
        guard let start = passDelimiter(), start == 0 else { return nil }
        var parts: [MultipartPart] = []
        while true {
            let rest = body[position...]
            if rest.starts(with: [0x2D, 0x2D]) {
                let epilogue = rest.dropFirst(2)
                return epilogue.isEmpty || epilogue.elementsEqual([0x0D, 0x0A]) ? parts : nil
            }
            // RFC 2046 lets blanks follow a boundary: not every reader does.
            guard rest.starts(with: [0x0D, 0x0A]) else { return nil }
            position += 2
            let head = position
            guard var part = headers() else { return nil }
            let start = position
            // No delimiter within the head either, nor right behind it: its line break is then part of both to some.
            position = head
            guard let end = passDelimiter(), end >= start else { return nil }
            part.value = Array(body[start..<end])
            parts.append(part)
        }
    }

    /// Goes behind the next delimiter; where it begins, with the line break before it. `nil` when there is none, or it does
    /// not begin a line.
    private mutating func passDelimiter() -> Int? {
        let (bytes, wanted) = (body, delimiter)
        let (text, pattern) = (bytes.span, wanted.span)
        var matched = 0
        for index in position..<text.count {
            while matched > 0, text[index] != pattern[matched] { matched = restarts[matched - 1] }
            if text[index] == pattern[matched] { matched += 1 }
            guard matched == pattern.count else { continue }
            var start = index + 1 - matched
            position = index + 1
            if start > 0 {
                guard start >= 2, text[start - 2] == 0x0D, text[start - 1] == 0x0A else { return nil }
                start -= 2
            }
            starts.append(start)
            return start
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
            // A line feed alone would be the end of the line to a lenient reader, a blank at the beginning its continuation.
            guard let colon = line.firstIndex(of: 0x3A), line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }),
                colon > line.startIndex, line[..<colon].allSatisfy({ $0 > 0x20 })
            else {
                return nil
            }
            let value = ASCII.trimmed(line[(colon + 1)...])
            switch String(decoding: line[..<colon].map(ASCII.lower), as: UTF8.self) {
            case "content-disposition":
                guard part == nil, let disposition = MultipartReader.disposition(value) else { return nil }
                part = disposition
            // Some read on in the parts of a part.
            case "content-type" where MediaType.essence(of: value).starts(with: "multipart/".utf8): return nil
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

    /// `form-data; name="a"; filename="b"`. Nothing twice, and no `name*` (RFC 7578 4.2), which some readers honour. The same
    /// RFC forbids `filename*`, and .NET sends it beside `filename`: it names no field, so there it does no harm; alone it
    /// would be a file to one reader and a field to another.
    private static func disposition(_ value: ArraySlice<UInt8>) -> MultipartPart? {
        guard MediaType.essence(of: value) == Array("form-data".utf8) else { return nil }
        var (name, filename): ([UInt8]?, [UInt8]?)
        var isNamedAgain = false
        var index = value.firstIndex(of: 0x3B) ?? value.endIndex
        while index < value.endIndex {
            guard let next = MediaType.parameter(of: value, at: &index) else { return nil }
            switch String(decoding: next.name.map(ASCII.lower), as: UTF8.self) {
            case "name":
                guard name == nil else { return nil }
                name = unescaped(next.text)
                // An encoded word (RFC 2047), which some decode.
                if let name, zip(name, name.dropFirst()).contains(where: { $0 == 0x3D && $1 == 0x3F }) { return nil }
            case "filename":
                guard filename == nil else { return nil }
                filename = unescaped(next.text)
            case "name*": return nil
            case "filename*": isNamedAgain = true
            default: break
            }
        }
        if isNamedAgain, filename == nil { return nil }
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
