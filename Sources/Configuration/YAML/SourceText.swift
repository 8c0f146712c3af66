/// The bytes of a config file with the start of each line, so that places inside scalars can be found again.
struct SourceText: Sendable {
    let bytes: [UInt8]
    /// Byte offset of each line's first byte; never empty.
    private let lineStarts: [Int]

    init(bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        var index = 0
        while index < bytes.count {
            let length = SourceText.breakLength(bytes, at: index)
            index += max(length, 1)
            if length > 0 { starts.append(index) }
        }
        lineStarts = starts
    }

    /// Bytes of the line break here, 0 for none. The set is libyaml's (CR, LF, CRLF, NEL, LS, PS), because its marks
    /// count lines by it.
    static func breakLength(_ bytes: [UInt8], at index: Int) -> Int {
        switch bytes[index] {
        case 0x0A: 1
        case 0x0D: index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
        case 0xC2: index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
        case 0xE2:
            index + 2 < bytes.count && bytes[index + 1] == 0x80
                && (bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9) ? 3 : 0
        default: 0
        }
    }

    /// Byte offset of a position, clamped to the text.
    func offset(of position: SourcePosition) -> Int {
        let line = min(max(position.line, 1), lineStarts.count)
        var offset = lineStarts[line - 1]
        var column = 1
        while column < position.column, offset < bytes.count {
            offset = next(after: offset)
            column += 1
        }
        return offset
    }

    /// Position of a byte offset, clamped to the text.
    func position(at offset: Int) -> SourcePosition {
        let target = min(max(offset, 0), bytes.count)
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= target { low = middle } else { high = middle }
        }
        var column = 1
        var index = lineStarts[low]
        while index < target {
            index = next(after: index)
            column += 1
        }
        return SourcePosition(line: low + 1, column: column)
    }

    /// Offset of the character after the one here.
    func next(after offset: Int) -> Int {
        var index = offset + 1
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
        return index
    }
}
