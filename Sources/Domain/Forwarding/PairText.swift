import Bytes

/// Edits of `a=1&b=2` text (a query or a form body) that leave every byte alone which they need not touch.
package enum PairText {
    /// Removes the pieces whose decoded name is owned. Returns nil when nothing had to go.
    package static func dropping(_ names: [[UInt8]], from text: Span<UInt8>) -> [UInt8]? {
        guard !names.isEmpty, text.count > 0 else { return nil }
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count)
        var decodedName: [UInt8] = []
        decodedName.reserveCapacity(32)
        var changed = false
        var wroteAny = false
        var start = 0
        while start <= text.count {
            var end = start
            while end < text.count, text[end] != 0x26 { end += 1 }
            var equals = start
            while equals < end, text[equals] != 0x3D { equals += 1 }
            decodedName.removeAll(keepingCapacity: true)
            Percent.decode(text.extracting(start..<equals), plusIsSpace: true, into: &decodedName)
            if OwnedFields.contains(names, decodedName.span) {
                changed = true
            } else {
                if wroteAny { kept.append(0x26) }
                wroteAny = true
                kept.append(copying: text.extracting(start..<end))
            }
            start = end + 1
        }
        return changed ? kept : nil
    }

    /// Appends `name=value`, form-encoded, with `&` before it when something stands there already.
    package static func append(name: Span<UInt8>, value: Span<UInt8>, spaceIsPlus: Bool, to text: inout [UInt8]) {
        if let last = text.last, last != 0x26 { text.append(0x26) }
        Percent.encode(name, spaceIsPlus: spaceIsPlus, into: &text)
        text.append(0x3D)
        Percent.encode(value, spaceIsPlus: spaceIsPlus, into: &text)
    }
}
