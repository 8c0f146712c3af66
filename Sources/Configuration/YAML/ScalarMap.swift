/// Finds the place in the file of a byte of a decoded scalar.
///
/// Folding and indentation only add, drop or change blanks, so the n-th non-blank character of the value is the n-th
/// non-blank character of the source, once escapes are read. That holds for all five styles and needs no second YAML
/// scanner.
enum ScalarMap {
    static func position(
        of valueOffset: Int, in scalar: YAMLScalar, at start: SourcePosition, source: SourceText
    ) -> SourcePosition {
        let value = Array(scalar.text.utf8)
        let target = min(max(valueOffset, 0), value.count)
        var wanted = 0
        for index in 0..<target where isLead(value[index]) && !isBlank(value[index]) { wanted += 1 }
        // A place on a blank, or at the end, is shown right after the character before it.
        let isAfter = target == value.count || isBlank(value[target])
        if isAfter, wanted == 0 { return start }
        var walker = Walker(source: source, offset: source.offset(of: start), style: scalar.style)
        walker.skipProperties()
        walker.skipOpening()
        var found = walker.offset
        for _ in 0..<(isAfter ? wanted : wanted + 1) {
            guard let offset = walker.nextCharacter() else { break }
            found = offset
        }
        return source.position(at: isAfter ? walker.offset : found)
    }

    private static func isLead(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
    fileprivate static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private struct Walker {
        let source: SourceText
        var offset: Int
        let style: YAMLScalar.Style

        var byte: UInt8? { offset < source.bytes.count ? source.bytes[offset] : nil }

        /// An anchor in front of the scalar belongs to the event.
        mutating func skipProperties() {
            while byte == 0x26 || byte == 0x21 {
                while let byte, !ScalarMap.isBlank(byte) { offset += 1 }
                while let byte, ScalarMap.isBlank(byte) { offset += 1 }
            }
        }

        /// The quote, or the header line of a block.
        mutating func skipOpening() {
            switch style {
            case .plain: break
            case .singleQuoted, .doubleQuoted: offset += 1
            case .literal, .folded:
                while let byte, byte != 0x0A { _ = byte; offset += 1 }
            }
        }

        /// Offset of the next non-blank character; the walker stands behind it afterwards.
        mutating func nextCharacter() -> Int? {
            while let byte {
                let start = offset
                if ScalarMap.isBlank(byte) {
                    offset += 1
                } else if style == .doubleQuoted, byte == 0x5C {
                    if skipEscape() { return start }
                } else if style == .singleQuoted, byte == 0x27 {
                    offset += 2
                    return start
                } else {
                    offset = source.next(after: offset)
                    return start
                }
            }
            return nil
        }

        /// True when the escape stands for a non-blank character.
        private mutating func skipEscape() -> Bool {
            let letter = offset + 1 < source.bytes.count ? source.bytes[offset + 1] : 0
            let digits: Int? =
                switch letter {
                case 0x78: 2  // \x
                case 0x75: 4  // \u
                case 0x55: 8  // \U
                default: nil
                }
            guard let digits else {
                offset = source.next(after: min(offset + 1, source.bytes.count))
                // \n, \t, \r, "\ " and an escaped line break stand for blanks or nothing.
                return !(letter == 0x6E || letter == 0x74 || letter == 0x72 || ScalarMap.isBlank(letter))
            }
            var code: UInt32 = 0
            for place in 0..<digits {
                let index = offset + 2 + place
                guard index < source.bytes.count else { break }
                let digit = source.bytes[index]
                let number = digit < 0x3A ? digit &- 0x30 : (digit | 0x20) &- 0x57
                code = code << 4 | UInt32(number & 15)
            }
            offset = min(offset + 2 + digits, source.bytes.count)
            return code > 0x7F || !ScalarMap.isBlank(UInt8(truncatingIfNeeded: code))
        }
    }
}
