/// Base 16.
@usableFromInline package enum Hex {
    @inlinable package static func lowerDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 &+ nibble : 0x57 &+ nibble
    }
    @inlinable package static func upperDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 &+ nibble : 0x37 &+ nibble
    }

    package static func encode(_ bytes: Span<UInt8>, upper: Bool = false) -> [UInt8] {
        [UInt8](capacity: bytes.count * 2) { output in
            for index in bytes.indices {
                let (high, low) = (bytes[index] >> 4, bytes[index] & 15)
                output.append(upper ? upperDigit(high) : lowerDigit(high))
                output.append(upper ? upperDigit(low) : lowerDigit(low))
            }
        }
    }

    /// Replaces all bytes from an index on by their digits.
    package static func encode(tailOf buffer: inout [UInt8], from start: Int, upper: Bool = false) {
        let count = buffer.count - start
        buffer.append(contentsOf: repeatElement(0, count: count))
        // A span, because an array asks at every byte whether it is shared.
        var text = buffer.mutableSpan
        // From the end: what is written lies behind what is still to be read.
        for index in (0..<count).reversed() {
            let byte = text[start &+ index]
            text[start &+ 2 &* index] = upper ? upperDigit(byte >> 4) : lowerDigit(byte >> 4)
            text[start &+ 2 &* index &+ 1] = upper ? upperDigit(byte & 15) : lowerDigit(byte & 15)
        }
    }

    /// Either case; `nil` for an odd count or any other byte.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 2 == 0 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 2)
        var index = 0
        while index < text.count {
            guard let high = ASCII.hexValue(text[index]), let low = ASCII.hexValue(text[index + 1]) else { return nil }
            output.append(high << 4 | low)
            index += 2
        }
        return output
    }
}
