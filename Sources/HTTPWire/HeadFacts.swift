import Bytes

/// What the fields of a head say about framing and connection, gathered line by line.
struct HeadFacts: Sendable {
    var hostIndex: Int32?
    private var contentLength: UInt64?
    private var hasTransferEncoding = false
    private var asksClose = false
    private var asksKeepAlive = false
    private var expectsContinue = false
    private var expectsOther = false

    /// Looks at one field. Recognised by length first, so that an ordinary field costs one switch.
    @inline(__always)
    mutating func inspect(
        name: Span<UInt8>, value: Span<UInt8>, index: Int, isHTTP10: Bool
    ) throws(WireRefusal) {
        // Long names by their first and last eight bytes, little-endian, with bit 5 set: among token bytes that folds
        // letters and changes nothing else in these names. Comparing byte by byte was an eighth of a head's cost.
        let fold: UInt64 = 0x2020_2020_2020_2020
        switch name.count {
        case 4: if name.isFolded("host") { try host(value, index: index) }
        case 6: if name.isFolded("expect") { expect(value) }
        case 10:
            let isConnection =
                name.word(at: 0) | fold == 0x6974_6365_6E6E_6F63 && name.word(at: 2) | fold == 0x6E6F_6974_6365_6E6E
            if isConnection { connection(value) }
        case 14:
            let isLength =
                name.word(at: 0) | fold == 0x2D74_6E65_746E_6F63 && name.word(at: 6) | fold == 0x6874_676E_656C_2D74
            if isLength { try length(value) }
        case 17:
            let isCoding =
                name.word(at: 0) | fold == 0x7265_6673_6E61_7274 && name.word(at: 9) | fold == 0x676E_6964_6F63_6E65
                && name[8] == 0x2D
            if isCoding { try transferEncoding(value, isHTTP10: isHTTP10) }
        default: break
        }
    }

    private mutating func host(_ value: Span<UInt8>, index: Int) throws(WireRefusal) {
        guard hostIndex == nil else { throw WireRefusal(.duplicateHost) }
        guard Authority(value) != nil else { throw WireRefusal(.badHost) }
        hostIndex = Int32(truncatingIfNeeded: index)
    }

    /// `100-continue` is the only expectation there is (RFC 9110 10.1.1).
    private mutating func expect(_ value: Span<UInt8>) {
        if value.isFolded("100-continue") { expectsContinue = true } else { expectsOther = true }
    }

    private mutating func connection(_ value: Span<UInt8>) {
        var (close, keepAlive) = (asksClose, asksKeepAlive)
        CommaList.forEach(value) { member in
            if member.isFolded("close") { close = true }
            if member.isFolded("keep-alive") { keepAlive = true }
        }
        (asksClose, asksKeepAlive) = (close, keepAlive)
    }

    /// One line, digits only, no list: even equal duplicates are refused, since nothing honest sends them.
    private mutating func length(_ value: Span<UInt8>) throws(WireRefusal) {
        guard contentLength == nil else { throw WireRefusal(.duplicateContentLength) }
        guard !hasTransferEncoding else { throw WireRefusal(.conflictingLength) }
        guard let number = ASCII.decimal(value) else { throw WireRefusal(.badContentLength) }
        contentLength = number
    }

    private mutating func transferEncoding(_ value: Span<UInt8>, isHTTP10: Bool) throws(WireRefusal) {
        guard contentLength == nil else { throw WireRefusal(.conflictingLength) }
        guard !hasTransferEncoding, !isHTTP10 else { throw WireRefusal(.badTransferEncoding) }
        hasTransferEncoding = true
        guard !value.isFolded("chunked") else { return }
        throw WireRefusal(Self.isKnownCoding(value) ? .unsupportedTransferEncoding : .badTransferEncoding)
    }

    /// A compression coding, alone or before `chunked`: understood and not offered (501, RFC 9112 6.1).
    private static func isKnownCoding(_ value: Span<UInt8>) -> Bool {
        var end = 0
        while end < value.count, value[end] != 0x2C { end += 1 }
        let coding = value.extracting(value.trimmedRange(0..<end))
        guard
            coding.isFolded("gzip") || coding.isFolded("deflate") || coding.isFolded("compress")
                || coding.isFolded("x-gzip") || coding.isFolded("x-compress")
        else { return false }
        guard end < value.count else { return true }
        return value.extracting(value.trimmedRange(end + 1..<value.count)).isFolded("chunked")
    }

    /// The verdict once the head is whole.
    func settle(isHTTP10: Bool) throws(WireRefusal) -> (framing: BodyFraming, keepAlive: Bool, expects: Bool) {
        guard hostIndex != nil || isHTTP10 else { throw WireRefusal(.missingHost) }
        guard isHTTP10 || !expectsOther else { throw WireRefusal(.badExpectation) }
        let framing: BodyFraming =
            hasTransferEncoding ? .chunked : contentLength.map { .length($0) } ?? .none
        let hasBody = framing != .none && framing != .length(0)
        return (
            framing, isHTTP10 ? asksKeepAlive && !asksClose : !asksClose, expectsContinue && hasBody && !isHTTP10
        )
    }
}
