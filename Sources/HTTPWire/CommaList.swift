/// Members of a comma-separated field value (RFC 9110 5.6.1): blanks trimmed, empty members skipped.
package enum CommaList {
    /// Whether every member is a token (RFC 9110 5.6.2), as in a list of field names.
    package static func holdsTokens(_ value: Span<UInt8>) -> Bool {
        var isValid = true
        forEach(value) { member in
            for index in member.indices where !ByteClass.isToken(member[index]) { isValid = false }
        }
        return isValid
    }

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
