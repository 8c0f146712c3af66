/// Finding bytes in bytes, in linear time whatever both are.
enum ByteSearch {
    /// Index (of the slice) of the first occurrence at `from` or later. An empty needle is found at once.
    static func first(
        _ needle: ArraySlice<UInt8>, in text: ArraySlice<UInt8>, from start: Int? = nil
    ) -> Int? {
        let from = start ?? text.startIndex
        guard from <= text.endIndex else { return nil }
        guard let head = needle.first else { return from }
        guard text.endIndex - from >= needle.count else { return nil }
        if needle.count == 1 { return text[from...].firstIndex(of: head) }
        return needle.count <= 8 ? short(needle, in: text, from: from) : long(needle, in: text, from: from)
    }

    /// Index (of the slice) of the last occurrence that begins at `limit` or before. Reads both from behind: going on from
    /// each occurrence to the next takes the product of the two lengths.
    static func last(_ needle: ArraySlice<UInt8>, in text: ArraySlice<UInt8>, upTo limit: Int) -> Int? {
        let end = min(limit + needle.count, text.endIndex)
        let reversed = Array(text[..<end].reversed())
        guard let found = first(Array(needle.reversed())[...], in: reversed[...]) else { return nil }
        return end - found - needle.count
    }

    private static func short(_ needle: ArraySlice<UInt8>, in text: ArraySlice<UInt8>, from start: Int) -> Int? {
        let (hay, pattern) = (text.span, needle.span)
        let head = pattern[0]
        var index = start - text.startIndex
        let end = hay.count - pattern.count
        while index <= end {
            if hay[index] == head {
                var matched = 1
                while matched < pattern.count, hay[index + matched] == pattern[matched] { matched += 1 }
                if matched == pattern.count { return index + text.startIndex }
            }
            index += 1
        }
        return nil
    }

    /// Knuth, Morris, Pratt.
    private static func long(_ needle: ArraySlice<UInt8>, in text: ArraySlice<UInt8>, from start: Int) -> Int? {
        let pattern = Array(needle)
        var border = [0]
        var length = 0
        for byte in pattern.dropFirst() {
            while length > 0, pattern[length] != byte { length = border[length - 1] }
            if pattern[length] == byte { length += 1 }
            border.append(length)
        }
        length = 0
        for index in start..<text.endIndex {
            while length > 0, pattern[length] != text[index] { length = border[length - 1] }
            if pattern[length] == text[index] { length += 1 }
            if length == pattern.count { return index - length + 1 }
        }
        return nil
    }
}
