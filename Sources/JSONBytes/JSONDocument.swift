import Bytes

/// A scanned JSON text: its bytes, untouched, and a tape of where each value lies. Nothing is decoded before it is asked
/// for, so a payload can be passed on byte for byte. Immutable, hence free to share.
package final class JSONDocument: Sendable {
    /// The bytes as given, also those before and after the value.
    package let bytes: [UInt8]
    /// One past the value's last byte; after `init(parsing:)` blanks may follow it, after
    /// `init(parsingPrefixOf:)` anything.
    package let endOffset: Int
    let nodes: [JSONNode]

    /// Scans the one value that fills `bytes` from `from` on (RFC 8259; blanks around it allowed).
    ///
    /// Duplicate keys are kept; a look-up takes the first. A byte order mark is refused.
    package init(parsing bytes: [UInt8], from: Int = 0, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var scanner = JSONScanner(at: Self.clamped(from, bytes), limits: limits)
        try scanner.scan(bytes.span)
        endOffset = Int(scanner.position)
        scanner.skipBlanks(bytes.span)
        guard scanner.position == bytes.count else { throw JSONError(.trailingBytes, at: Int(scanner.position)) }
        self.bytes = bytes
        nodes = scanner.nodes
    }

    /// Scans the first value from `from` on and leaves what follows it, from `endOffset` on, unread: concatenated
    /// texts, JSON lines. A number ends where its token ends.
    package init(
        parsingPrefixOf bytes: [UInt8], from: Int = 0, limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        var scanner = JSONScanner(at: Self.clamped(from, bytes), limits: limits)
        try scanner.scan(bytes.span)
        endOffset = Int(scanner.position)
        self.bytes = bytes
        nodes = scanner.nodes
    }

    package var root: JSONValue { JSONValue(document: self, node: 0) }

    private static func clamped(_ offset: Int, _ bytes: [UInt8]) -> Int { max(0, min(offset, bytes.count)) }
}
