import Bytes
import Cryptography

/// The canonical request of AWS Signature Version 4.
package enum AWSCanonical {
    /// - Parameters:
    ///   - normalize: drops empty and `.` segments and resolves `..`; a trailing slash stays.
    ///   - isS3: encodes once; other services encode the path as it stands in the request line, so `%3A` becomes `%253A`.
    package static func path(_ path: [UInt8], normalize: Bool, isS3: Bool) -> [UInt8] {
        var source = path.isEmpty ? [0x2F] : path
        if normalize { source = normalized(source) }
        if isS3 {
            // Whatever the client left unencoded is encoded, and nothing is encoded twice.
            var plain: [UInt8] = []
            Percent.decode(source.span, plusIsSpace: false, into: &plain)
            source = plain
        }
        var output: [UInt8] = []
        output.reserveCapacity(source.count + 8)
        Percent.encode(source.span, keepingSlash: true, into: &output)
        return output
    }

    static func normalized(_ path: [UInt8]) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        for segment in path.split(separator: 0x2F) {
            switch segment {
            case [0x2E]: continue
            case [0x2E, 0x2E]: _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        var output: [UInt8] = []
        for segment in kept {
            output.append(0x2F)
            output.append(contentsOf: segment)
        }
        if output.isEmpty || path.last == 0x2F { output.append(0x2F) }
        return output
    }

    /// Pieces decoded and encoded again (`+` is a plus), sorted by encoded name, then encoded value.
    package static func query(_ query: [UInt8]) -> [UInt8] {
        let pieces = query.split(separator: 0x26)
        guard !pieces.isEmpty else { return [] }
        var pairs: [(name: [UInt8], value: [UInt8])] = []
        pairs.reserveCapacity(pieces.count)
        for piece in pieces {
            let end = piece.firstIndex(of: 0x3D) ?? piece.endIndex
            pairs.append((recoded(piece[..<end]), recoded(piece[end...].dropFirst())))
        }
        if pairs.count > 1 {
            pairs.sort { a, b in
                a.name == b.name ? a.value.lexicographicallyPrecedes(b.value) : a.name.lexicographicallyPrecedes(b.name)
            }
        }
        var output: [UInt8] = []
        output.reserveCapacity(query.count + 8)
        for pair in pairs {
            if !output.isEmpty { output.append(0x26) }
            output.append(contentsOf: pair.name)
            output.append(0x3D)
            output.append(contentsOf: pair.value)
        }
        return output
    }

    private static func recoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        Percent.decode(text.span, plusIsSpace: false, into: &plain)
        var output: [UInt8] = []
        output.reserveCapacity(plain.count)
        Percent.encode(plain.span, into: &output)
        return output
    }

    /// The six parts, joined by line feeds.
    package static func request(
        method: [UInt8], path: [UInt8], query: [UInt8], headers: AWSHeaders, payload: [UInt8]
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(256 + path.count + query.count + headers.byteCount * 2)
        output.append(contentsOf: method)
        output.append(0x0A)
        output.append(contentsOf: path)
        output.append(0x0A)
        output.append(contentsOf: query)
        output.append(0x0A)
        headers.appendLines(to: &output)
        output.append(0x0A)
        headers.appendNames(to: &output)
        output.append(0x0A)
        output.append(contentsOf: payload)
        return output
    }
}

/// Signed header fields: names in lower case and sorted, values folded, duplicates joined in the order received.
package struct AWSHeaders {
    private var lines: [(name: [UInt8], value: [UInt8])] = []
    private(set) var byteCount = 0

    package init() {}

    /// Adds one field line.
    package mutating func add(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        var lower: [UInt8] = []
        lower.reserveCapacity(name.count)
        for index in name.indices { lower.append(ASCII.lower(name[index])) }
        // A handful of fields: an insertion keeps the order of equal names without an index.
        var position = lines.count
        while position > 0, lower.lexicographicallyPrecedes(lines[position - 1].name) { position -= 1 }
        if position > 0, lines[position - 1].name == lower {
            lines[position - 1].value.append(0x2C)
            Self.appendFolded(value, to: &lines[position - 1].value)
        } else {
            var folded: [UInt8] = []
            folded.reserveCapacity(value.count)
            Self.appendFolded(value, to: &folded)
            lines.insert((lower, folded), at: position)
        }
        byteCount += name.count + value.count
    }

    package mutating func add(_ name: StaticString, _ value: [UInt8]) {
        let name = name.bytes
        add(name.span, value.span)
    }

    /// Without blanks at the ends, and with one where several stood (a line fold is a blank too).
    private static func appendFolded(_ value: Span<UInt8>, to output: inout [UInt8]) {
        var isPending = false
        var hasText = false
        for index in value.indices {
            let byte = value[index]
            if byte == 0x20 || byte &- 0x09 < 5 {
                isPending = hasText
                continue
            }
            if isPending { output.append(0x20) }
            (isPending, hasText) = (false, true)
            output.append(byte)
        }
    }

    func appendLines(to output: inout [UInt8]) {
        for line in lines {
            output.append(contentsOf: line.name)
            output.append(0x3A)
            output.append(contentsOf: line.value)
            output.append(0x0A)
        }
    }

    /// `a;b;c`.
    func appendNames(to output: inout [UInt8]) {
        for index in lines.indices {
            if index > 0 { output.append(0x3B) }
            output.append(contentsOf: lines[index].name)
        }
    }
}
