package import Bytes

/// The head of one request, checked: one copy of its bytes and offsets into it.
package struct RequestHead: Sendable {
    package let method: RequestMethod
    /// Fields in the order received, without those whose name holds `_`. Names are tokens, values hold no control byte
    /// but HTAB and are trimmed. `Host`, the framing fields and hop-by-hop fields are still in here (see `HopByHop`).
    package let fields: PairBlock
    /// How long the body is.
    package let framing: BodyFraming
    /// HTTP/1.0: no chunked answer, and the connection closes unless the client asked otherwise.
    package let isHTTP10: Bool
    /// The client lets the connection stay open after the answer.
    package let keepAlive: Bool
    /// The client waits for `100 Continue` before it sends its body. Never set without a body, nor for HTTP/1.0.
    package let expectsContinue: Bool
    /// Value of the `Host` field: a valid authority, not yet checked against the allow-list. `nil` only for HTTP/1.0.
    package var host: ArraySlice<UInt8>? { hostIndex.map { fields.value(at: Int($0)) } }
    /// `OPTIONS *`: about the server, answered locally.
    package let isAsteriskForm: Bool

    let hostIndex: Int32?
    let targetRange: ByteRange
    let authorityRange: ByteRange?
    let pathRange: ByteRange
    let queryRange: ByteRange?
    let underscored: [PairBlock.Entry]

    /// The copied bytes all offsets point into.
    package var bytes: [UInt8] { fields.bytes }
    /// Request target as received.
    package var target: ArraySlice<UInt8> { fields.bytes[targetRange.range] }
    /// Authority of an absolute-form target. It never chooses the upstream (RFC 9112 3.2.2).
    package var authority: ArraySlice<UInt8>? { authorityRange.map { fields.bytes[$0.range] } }
    /// Raw path, never decoded; starts with `/` (or is `*`).
    package var path: ArraySlice<UInt8> { fields.bytes[pathRange.range] }
    /// Raw query without the `?`; `nil` when there is no `?`.
    package var query: ArraySlice<UInt8>? { queryRange.map { fields.bytes[$0.range] } }
    /// Path and query exactly as they go to the upstream.
    package var originTarget: ArraySlice<UInt8> {
        fields.bytes[Int(pathRange.start)..<Int((queryRange ?? pathRange).end)]
    }

    /// How many fields were dropped because their name holds `_` (CVE-2025-64484: `X_Forwarded_User` becomes
    /// `X-Forwarded-User` in CGI-like applications).
    package var droppedUnderscoreNames: Int { underscored.count }
    /// Name of a dropped field, for the log.
    package func droppedUnderscoreName(at index: Int) -> ArraySlice<UInt8> {
        let entry = underscored[index]
        return fields.bytes[Int(entry.nameStart)..<Int(entry.nameStart) + Int(entry.nameCount)]
    }

    /// All fields in the order received, with those names that hold `_` for which the predicate holds. Names that alias
    /// a framing or hop-by-hop field stay out whatever it says.
    package func fieldsKeepingUnderscores(where isKept: (ArraySlice<UInt8>) -> Bool) -> PairBlock {
        guard !underscored.isEmpty else { return fields }
        var entries = fields.entries
        for (index, entry) in underscored.enumerated() {
            let name = droppedUnderscoreName(at: index)
            let dashed = name.map { $0 == 0x5F ? 0x2D : $0 }
            guard !HopByHop.isDropped(fromRequest: dashed.span), isKept(name) else { continue }
            entries.append(entry)
        }
        entries.sort { $0.nameStart < $1.nameStart }
        return PairBlock(bytes: fields.bytes, entries: entries)
    }
}
