/// Why a text is no JSON, and where. Holds no byte of the text: the text may be a login answer.
package struct JSONError: Error, Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The text stops inside a value, or holds none.
        case unexpectedEnd = "unexpected_end"
        /// A byte that no rule of RFC 8259 allows at this place.
        case unexpectedByte = "unexpected_byte"
        /// `-`, `1.`, `1e` and the like without the digit that must follow.
        case invalidNumber = "invalid_number"
        /// A backslash with something else than `"\/bfnrtu` behind it, or `\u` without four hexadecimal digits.
        case invalidEscape = "invalid_escape"
        /// A byte below 0x20 inside a string.
        case controlInString = "control_in_string"
        case invalidUTF8 = "invalid_utf8"
        case tooDeep = "too_deep"
        case tooManyNodes = "too_many_nodes"
        /// More than 4 GiB - 1: offsets are 32 bits wide.
        case tooLarge = "too_large"
        /// Something else than blanks after the value.
        case trailingBytes = "trailing_bytes"
    }

    package let kind: Kind
    /// Index of the offending byte in the array that was given; the count where the text ended too early.
    package let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
