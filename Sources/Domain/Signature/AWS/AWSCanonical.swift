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
        guard !isNormal(path) else { return path }
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

    /// Surely neither an empty segment nor one that begins with a dot: nearly every path.
    private static func isNormal(_ path: [UInt8]) -> Bool {
        guard path.first == 0x2F else { return false }
        for index in path.indices.dropFirst() where path[index - 1] == 0x2F {
            if path[index] == 0x2F || path[index] == 0x2E { return false }
        }
        return true
    }

    /// Pieces decoded and encoded again (`+` is a plus), sorted by encoded name, then encoded value.
    package static func query(_ query: [UInt8]) -> [UInt8] {
        query.isEmpty ? [] : PairText.canonical(Percent.pairs(query.span, plusIsSpace: false))
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
    private var bytes: [UInt8] = []
    private var entries: [PairBlock.Entry] = []

    package init() {
        bytes.reserveCapacity(256)
        entries.reserveCapacity(8)
    }

    var byteCount: Int { bytes.count }

    /// Adds one field line.
    package mutating func add(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        let start = bytes.count
        for index in name.indices { bytes.append(ASCII.lower(name[index])) }
        Self.appendFolded(value, to: &bytes)
        let entry = PairBlock.Entry(
            nameStart: start, nameCount: name.count, valueStart: start + name.count,
            valueCount: bytes.count - start - name.count)
        // A handful of fields: an insertion keeps the order of equal names without an index.
        var place = entries.count
        while place > 0,
            ASCII.precedes(bytes.span.extracting(entry.names), bytes.span.extracting(entries[place - 1].names))
        {
            place -= 1
        }
        entries.insert(entry, at: place)
    }

    package mutating func add(_ name: StaticString, _ value: [UInt8]) {
        name.withSpan { add($0, value.span) }
    }

    /// Without blanks at the ends, and with one where several stood (a line fold is a blank too).
    private static func appendFolded(_ value: Span<UInt8>, to output: inout [UInt8]) {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte &- 0x09 < 5 }
        let start = output.count
        var index = 0
        while index < value.count {
            let run = index
            while index < value.count, !isBlank(value[index]) { index &+= 1 }
            if index > run {
                if output.count > start { output.append(0x20) }
                output.append(copying: value.extracting(run..<index))
            }
            index &+= 1
        }
    }

    func appendLines(to output: inout [UInt8]) {
        for index in entries.indices {
            let value = bytes.span.extracting(entries[index].values)
            if isRepeated(index) {
                output.append(0x2C)
            } else {
                if index > 0 { output.append(0x0A) }
                output.append(copying: bytes.span.extracting(entries[index].names))
                output.append(0x3A)
            }
            output.append(copying: value)
        }
        if !entries.isEmpty { output.append(0x0A) }
    }

    /// `a;b;c`.
    func appendNames(to output: inout [UInt8]) {
        for index in entries.indices where !isRepeated(index) {
            if index > 0 { output.append(0x3B) }
            output.append(copying: bytes.span.extracting(entries[index].names))
        }
    }

    /// Whether the field before has this name.
    private func isRepeated(_ index: Int) -> Bool {
        index > 0
            && ASCII.equal(
                bytes.span.extracting(entries[index - 1].names), bytes.span.extracting(entries[index].names))
    }
}
