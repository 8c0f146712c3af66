/// Members of a comma-separated field value (RFC 9110 5.6.1): blanks trimmed, empty members skipped.
enum CommaList {
    static func forEach(_ value: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
        var start = 0
        while start <= value.count {
            var end = start
            while end < value.count, value[end] != 0x2C { end += 1 }
            let member = value.trimmedRange(start..<end)
            if !member.isEmpty { body(value.extracting(member)) }
            start = end + 1
        }
    }
}
