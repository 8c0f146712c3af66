import Bytes

/// Why a path pattern is wrong. `offset` counts bytes from the start of the pattern.
package struct PathPatternError: Error, Sendable, Equatable {
    package var offset: Int
    package var message: String
    package var hint: String?
}

extension PathPattern {
    /// Most segments of a pattern.
    package static let maxSegments = 64

    /// Parses `/api/{shop}/*/items/**`. Literals compare byte by byte with the raw (undecoded) path, so that what is
    /// matched is what is sent (CVE-2026-41059: a decoded comparison let another path through).
    package init(parsing text: String) throws(PathPatternError) {
        let bytes = Array(text.utf8)
        guard bytes.first == 0x2F else {
            throw PathPatternError(offset: 0, message: "a path pattern starts with /", hint: "/\(text)")
        }
        var segments: [Segment] = []
        var parameters: [Parameter] = []
        var start = 1
        while true {
            let end = bytes[start...].firstIndex(of: 0x2F) ?? bytes.count
            if segments.last == .rest {
                throw PathPatternError(
                    offset: start - 1, message: "** stands for the rest of the path and can only come last", hint: nil)
            }
            guard segments.count < Self.maxSegments else {
                throw PathPatternError(
                    offset: start, message: "more than \(Self.maxSegments) segments", hint: nil)
            }
            segments.append(try Self.segment(bytes[start..<end], at: segments.count, &parameters))
            if end == bytes.count { break }
            start = end + 1
        }
        self.init(segments: segments, parameters: parameters)
    }

    private static func segment(
        _ bytes: ArraySlice<UInt8>, at position: Int, _ parameters: inout [Parameter]
    ) throws(PathPatternError) -> Segment {
        if bytes.elementsEqual([0x2A, 0x2A]) { return .rest }
        if bytes.elementsEqual([0x2A]) { return .any }
        if bytes.first == 0x7B, bytes.last == 0x7D {
            let name = Array(bytes.dropFirst().dropLast())
            guard let first = name.first, ASCII.isAlpha(first) || first == 0x5F,
                name.allSatisfy({ ASCII.isAlpha($0) || ASCII.isDigit($0) || $0 == 0x5F })
            else {
                throw PathPatternError(
                    offset: bytes.startIndex, message: "a name in braces is letters, digits and _", hint: "{name}")
            }
            guard !parameters.contains(where: { $0.name == name }) else {
                throw PathPatternError(offset: bytes.startIndex, message: "the name occurs twice", hint: nil)
            }
            parameters.append(Parameter(segment: position, name: name))
            return .any
        }
        try checkLiteral(bytes)
        return .literal(Array(bytes))
    }

    private static func checkLiteral(_ bytes: ArraySlice<UInt8>) throws(PathPatternError) {
        let dots = bytes.count <= 2 && !bytes.isEmpty && bytes.allSatisfy { $0 == 0x2E }
        if dots {
            throw PathPatternError(
                offset: bytes.startIndex, message: "a dot segment never matches: requests with one are refused",
                hint: nil)
        }
        for index in bytes.indices {
            switch bytes[index] {
            case 0x2A:
                throw PathPatternError(
                    offset: index, message: "* stands for a whole segment", hint: "/*/ for one, /** for the rest")
            case 0x7B, 0x7D:
                throw PathPatternError(
                    offset: index, message: "a brace inside a segment; {name} stands for a whole segment", hint: nil)
            case 0x3F, 0x23:
                throw PathPatternError(
                    offset: index, message: "a path pattern has no query and no fragment", hint: nil)
            case 0...0x20, 0x7F...0xFF, 0x5C:
                throw PathPatternError(
                    offset: index, message: "this byte cannot stand in a path", hint: "write it as %XX, as clients do")
            case 0x25:
                guard index + 2 < bytes.endIndex, ASCII.hexValue(bytes[index + 1]) != nil,
                    ASCII.hexValue(bytes[index + 2]) != nil
                else {
                    throw PathPatternError(offset: index, message: "% is not followed by two hex digits", hint: nil)
                }
            default: continue
            }
        }
    }
}

extension PathPattern {
    /// Every path that matches `other` matches this one too.
    package func covers(_ other: PathPattern) -> Bool {
        var index = 0
        while index < segments.count {
            switch segments[index] {
            case .rest: return true
            case .any:
                guard index < other.segments.count else { return false }
                switch other.segments[index] {
                case .any: break
                // `*` is one segment that is not empty.
                case .literal(let bytes): if bytes.isEmpty { return false }
                case .rest: return false
                }
            case .literal(let bytes):
                guard index < other.segments.count, other.segments[index] == .literal(bytes) else { return false }
            }
            index += 1
        }
        return other.segments.count == segments.count
    }
}
