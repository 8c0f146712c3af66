import Bytes

/// Builds JSON text in a byte array; commas and colons place themselves. Trusts its caller to balance `begin` and `end`
/// and to put a key before each member: it writes what it is told and never traps.
package struct JSONWriter: Sendable {
    /// The text so far. Empty it with `take()`.
    package private(set) var bytes: [UInt8]
    /// A value was written at this level, so the next one needs a comma. One bit serves any depth: `begin` and `key` clear
    /// it, each finished value sets it.
    private var needsComma = false
    /// Also escapes what a terminal or a reader of a log could be fooled with: DEL, C1 controls, line separators,
    /// zero-width and bidirectional formatting characters.
    private let escapesInvisible: Bool

    /// Appends to `bytes`, in which no value is pending.
    package init(appendingTo bytes: consuming [UInt8] = [], escapesInvisible: Bool = false) {
        self.bytes = bytes
        self.escapesInvisible = escapesInvisible
    }

    /// Returns the text and starts anew.
    package mutating func take() -> [UInt8] {
        needsComma = false
        let text = bytes
        bytes = []
        return text
    }

    /// Ends a text of a JSON Lines stream: the next value begins on a new line, without a comma.
    package mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    package mutating func beginObject() { begin(0x7B) }
    package mutating func endObject() { end(0x7D) }
    package mutating func beginArray() { begin(0x5B) }
    package mutating func endArray() { end(0x5D) }

    package mutating func key(_ key: Span<UInt8>) {
        comma()
        quoted(key)
        bytes.append(0x3A)
        needsComma = false
    }

    /// A constant key. Allocates once: in a hot path use `rawKey(_:)` with prepared bytes.
    package mutating func key(_ key: StaticString) { self.key(key.bytes.span) }

    /// A prepared key, quotes and colon included: `"name":`.
    package mutating func rawKey(_ text: Span<UInt8>) {
        comma()
        bytes.append(copying: text)
        needsComma = false
    }

    package mutating func rawKey(_ text: [UInt8]) {
        comma()
        bytes.append(contentsOf: text)
        needsComma = false
    }

    /// Escapes quote, backslash and controls; bytes that are no UTF-8 become U+FFFD, one each.
    package mutating func string(_ text: Span<UInt8>) {
        comma()
        quoted(text)
        needsComma = true
    }

    package mutating func string(_ text: StaticString) { string(text.bytes.span) }

    /// A finished value, verbatim: the caller vouches that it is JSON.
    package mutating func raw(_ value: Span<UInt8>) {
        comma()
        bytes.append(copying: value)
        needsComma = true
    }

    package mutating func raw(_ value: [UInt8]) {
        comma()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    /// A finished value that `append` writes in place, as `raw(_:)`.
    package mutating func raw(_ append: (inout [UInt8]) -> Void) {
        comma()
        append(&bytes)
        needsComma = true
    }

    package mutating func int(_ value: Int64) {
        comma()
        bytes.append(decimal: value)
        needsComma = true
    }

    package mutating func int(_ value: Int) { int(Int64(value)) }

    package mutating func uint(_ value: UInt64) {
        comma()
        bytes.append(decimal: value)
        needsComma = true
    }

    package mutating func bool(_ value: Bool) {
        comma()
        bytes.append(contentsOf: value ? [0x74, 0x72, 0x75, 0x65] : [0x66, 0x61, 0x6C, 0x73, 0x65])
        needsComma = true
    }

    package mutating func null() {
        comma()
        bytes.append(contentsOf: [0x6E, 0x75, 0x6C, 0x6C])
        needsComma = true
    }

    /// Shortest text that reads back as the same double; `null` for infinity and NaN, which JSON cannot say.
    package mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        comma()
        bytes.append(contentsOf: value.description.utf8)
        needsComma = true
    }

    /// A number with `digits` (0...9) decimals: `fixed(12345, decimals: 3)` is `12.345`. No `Double`, no `String`.
    package mutating func fixed(_ value: UInt64, decimals: Int) {
        comma()
        var scale: UInt64 = 1
        for _ in 0..<max(0, min(decimals, 9)) { scale *= 10 }
        bytes.append(decimal: value / scale)
        if scale > 1 {
            bytes.append(0x2E)
            let start = bytes.count
            // The leading 1 keeps the zeros behind the point; it is dropped right away.
            bytes.append(decimal: value % scale + scale)
            bytes.remove(at: start)
        }
        needsComma = true
    }

    private mutating func begin(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    @inline(__always)
    private mutating func comma() {
        if needsComma { bytes.append(0x2C) }
    }

    private mutating func quoted(_ text: Span<UInt8>) {
        bytes.append(0x22)
        JSONText.appendEscaped(text, escapesInvisible: escapesInvisible, to: &bytes)
        bytes.append(0x22)
    }
}
