import Bytes

/// What can be read of a head that is refused, or that never came whole.
package enum HeadScrap {
    /// Value of the only field of this name among the whole lines so far; `nil` when there is none, or several.
    package static func value(of name: StaticString, in bytes: Span<UInt8>) -> ArraySlice<UInt8>? {
        var (start, found): (Int, ArraySlice<UInt8>?) = (0, nil)
        for index in bytes.indices where bytes[index] == 0x0A {
            let line = bytes.extracting(start..<(index > start && bytes[index - 1] == 0x0D ? index - 1 : index))
            // The empty line ends the head. One may stand before it (RFC 9112 2.2).
            if line.count == 0, start > 2 { break }
            let count = name.utf8CodeUnitCount
            if start > 0, line.count > count, line[count] == 0x3A,
                name.withSpan({ ASCII.equalFolded(line.extracting(0..<count), $0) })
            {
                guard found == nil else { return nil }
                var value: [UInt8] = []
                value.append(copying: line.extracting(count + 1..<line.count))
                found = ASCII.trimmed(value[...])
            }
            start = index + 1
        }
        return found
    }
}
