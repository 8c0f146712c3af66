/// Kind of a JSON value.
package enum JSONKind: UInt8, Sendable {
    case null, bool, number, string, array, object
}

/// One value or key on the tape: 16 bytes, offsets into the document's bytes. The children of a container follow it
/// directly (an object's as key, value, key, value), up to `next`.
struct JSONNode: Sendable {
    /// The string holds at least one backslash.
    static let escaped: UInt8 = 1
    /// The string holds a `\uD800`-like escape without its partner.
    static let loneSurrogate: UInt8 = 2
    /// The number token has neither fraction nor exponent.
    static let integral: UInt8 = 4
    /// The boolean is `true`.
    static let isTrue: UInt8 = 8

    var kind: JSONKind
    var flags: UInt8
    /// Direct children (members count once), saturated: `.max` means "count by walking".
    var count: UInt16
    /// First byte; the quote of a string, the bracket of a container.
    var start: UInt32
    /// One past the last byte.
    var end: UInt32
    /// Index of the node after this value and all that is inside it. While a container is open: its parent.
    var next: UInt32

    /// All but `end`, with no flags.
    @inline(__always)
    mutating func begin(_ kind: JSONKind, at start: UInt32, next: UInt32) {
        self.kind = kind
        flags = 0
        count = 0
        self.start = start
        self.next = next
    }
}
