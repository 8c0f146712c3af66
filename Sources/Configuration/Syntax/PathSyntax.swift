import Bytes

/// Paths of URLs and patterns.
enum PathSyntax {
    /// What is wrong with a literal path, or `nil`. The same rules as for request targets, so that a pattern can match.
    static func problem(of path: ArraySlice<UInt8>) -> String? {
        if path.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x5C }) {
            return "a path holds visible ASCII only; write other characters as %XX"
        }
        var index = path.startIndex
        while index < path.endIndex {
            if path[index] == 0x25 {
                guard index + 2 < path.endIndex, let high = ASCII.hexValue(path[index + 1]),
                    let low = ASCII.hexValue(path[index + 2])
                else { return "a broken % escape" }
                if high == 0, low == 0 { return "%00 in a path" }
            }
            index += 1
        }
        for segment in path.split(separator: 0x2F) {
            var plain: [UInt8] = []
            Percent.decode(segment.span, plusIsSpace: false, into: &plain)
            if plain == [0x2E] || plain == [0x2E, 0x2E] { return "a dot segment in a path" }
        }
        return nil
    }
}
