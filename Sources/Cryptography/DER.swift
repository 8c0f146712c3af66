/// The few ASN.1 forms (X.690 DER) that keys are made of.
enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [tag]
        if content.count < 0x80 {
            output.append(UInt8(truncatingIfNeeded: content.count))
        } else {
            var count: [UInt8] = []
            var rest = content.count
            while rest > 0 {
                count.insert(UInt8(truncatingIfNeeded: rest), at: 0)
                rest >>= 8
            }
            output.append(0x80 | UInt8(truncatingIfNeeded: count.count))
            output.append(contentsOf: count)
        }
        return output + content
    }

    static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, Array(elements.joined())) }

    /// A number without sign, from big-endian bytes.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
        return element(0x02, digits)
    }

    /// The content of the element at the start, and what follows; `nil` when the tag is another or it is cut short.
    static func read(_ tag: UInt8, _ bytes: ArraySlice<UInt8>) -> (content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)?
    {
        var rest = bytes
        guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
        var count = Int(first)
        if first >= 0x80 {
            // Two bytes of length (64 KiB) are more than any key here has.
            let size = Int(first & 0x7F)
            guard size <= 3, rest.count >= size else { return nil }
            count = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(size)
        }
        guard rest.count >= count else { return nil }
        return (rest.prefix(count), rest.dropFirst(count))
    }
}
