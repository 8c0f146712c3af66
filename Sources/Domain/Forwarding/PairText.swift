import Bytes

/// Edits of `a=1&b=2` text (a query or a form body) that leave every byte alone which they need not touch.
package enum PairText {
    /// Removes the pieces whose decoded name is owned; a `;` separates pieces too, as some servers see it. Returns nil when
    /// nothing had to go.
    package static func dropping(_ names: OwnedNames, from text: Span<UInt8>) -> [UInt8]? {
        guard !names.isEmpty, text.count > 0 else { return nil }
        // Nearly always nothing has to go: nothing is copied before the first that must.
        var kept: [UInt8]?
        var start = 0
        while start <= text.count {
            var end = start
            var equals: Int?
            var isPlain = true
            while end < text.count, text[end] != 0x26, text[end] != 0x3B {
                if equals == nil {
                    if text[end] == 0x3D { equals = end }
                    if text[end] == 0x25 || text[end] == 0x2B { isPlain = false }
                }
                end += 1
            }
            if isOwned(text.extracting(start..<(equals ?? end)), isPlain: isPlain, names) {
                if kept == nil {
                    var before: [UInt8] = []
                    before.reserveCapacity(text.count)
                    before.append(copying: text.extracting(0..<max(start - 1, 0)))
                    kept = before
                }
            } else if kept != nil {
                if start > 0, kept?.isEmpty == false { kept?.append(text[start - 1]) }
                kept?.append(copying: text.extracting(start..<end))
            }
            start = end + 1
        }
        return kept
    }

    private static func isOwned(_ name: Span<UInt8>, isPlain: Bool, _ names: OwnedNames) -> Bool {
        if isPlain { return names.contains(name) }
        var decoded: [UInt8] = []
        Percent.decode(name, plusIsSpace: true, into: &decoded)
        return names.contains(decoded.span)
    }

    /// The pairs encoded, sorted by encoded name and then encoded value: what AWS and OAuth 1.0 sign.
    static func canonical(_ pairs: PairBlock) -> [UInt8] {
        var bytes: [UInt8] = []
        var entries: [PairBlock.Entry] = []
        bytes.reserveCapacity(pairs.bytes.count * 3 / 2)
        entries.reserveCapacity(pairs.count)
        for entry in pairs.entries {
            let nameStart = bytes.count
            Percent.encode(pairs.bytes.span.extracting(entry.names), into: &bytes)
            let valueStart = bytes.count
            Percent.encode(pairs.bytes.span.extracting(entry.values), into: &bytes)
            entries.append(
                PairBlock.Entry(
                    nameStart: nameStart, nameCount: valueStart - nameStart, valueStart: valueStart,
                    valueCount: bytes.count - valueStart))
        }
        var encoded = PairBlock(bytes: bytes, entries: entries)
        encoded.sort { a, b, bytes in
            let (first, second) = (bytes.extracting(a.names), bytes.extracting(b.names))
            return ASCII.precedes(second, first)
                || ASCII.equal(first, second) && ASCII.precedes(bytes.extracting(b.values), bytes.extracting(a.values))
        }
        var text: [UInt8] = []
        text.reserveCapacity(encoded.bytes.count + 2 * encoded.count)
        for entry in encoded.entries {
            if !text.isEmpty { text.append(0x26) }
            text.append(copying: encoded.bytes.span.extracting(entry.names))
            text.append(0x3D)
            text.append(copying: encoded.bytes.span.extracting(entry.values))
        }
        return text
    }

    /// Appends `name=value`, form-encoded, with `&` before it when something stands there already.
    package static func append(name: Span<UInt8>, value: Span<UInt8>, spaceIsPlus: Bool, to text: inout [UInt8]) {
        if let last = text.last, last != 0x26 { text.append(0x26) }
        Percent.encode(name, spaceIsPlus: spaceIsPlus, into: &text)
        text.append(0x3D)
        Percent.encode(value, spaceIsPlus: spaceIsPlus, into: &text)
    }
}
