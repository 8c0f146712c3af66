package import Bytes

/// Checks the head lines of an upstream's answer as they come, because libcurl does not: it takes `Content-Length: +2`,
/// lists and differing duplicates, and delivers 1xx fields and trailers through the same callback as the head's own.
/// A status line begins a new head; only the fields of the last head are kept.
///
/// More lenient than with requests where RFC 9112 lets a recipient be and small devices need it: lines may end with a bare
/// line feed (2.2), blanks before a field's colon are taken out (5.1), and a length may be told twice (RFC 9110 8.6).
package struct UpstreamHeadBuilder: Sendable {
    private enum Phase { case status, fields, ended, body }

    private let maxFields: Int
    private let maxInterim: Int
    private let allowsHTTP2: Bool
    private let framesItself: Bool
    private var phase = Phase.status
    private var isHTTP10 = false
    private var headBytes = 0
    private var lines = 0
    private var contentLength: UInt64?
    private var hasTransferEncoding = false
    /// What the `Connection` fields say.
    private var (saysClose, saysKeepAlive) = (false, false)

    /// Most bytes of one head or trailer section.
    static let maxHeadBytes = 262_144

    /// Name of the field that a fault is about; copied only then.
    private var fieldName: [UInt8] = []

    /// Status of the last head: 100 to 999 without 101; 0 before the first status line.
    package private(set) var status = 0
    /// What the last head says behind its status; `nil`: the usual words.
    package private(set) var reason: [UInt8]?
    /// What stood in place of a status, of a `badStatus`.
    private var refusedStatus: [UInt8] = []
    /// Fields of the last head.
    package private(set) var fields = PairBlock()
    /// Interim heads seen.
    package private(set) var interimCount = 0

    /// - Parameters:
    ///   - maxFields: lines of one head; more is a fault. Default 200 (libcurl takes 20,000).
    ///   - maxInterim: interim heads before the final one; more is a fault.
    ///   - allowsHTTP2: libcurl writes `HTTP/2 200` status lines for HTTP/2.
    ///   - framesItself: somebody else finds the end of the body by reading the same lines: what that one would not understand
    ///     is refused.
    package init(
        maxFields: Int = 200, maxInterim: Int = 16, allowsHTTP2: Bool = false, framesItself: Bool = true
    ) {
        self.maxFields = maxFields
        self.maxInterim = maxInterim
        self.allowsHTTP2 = allowsHTTP2
        self.framesItself = framesItself
    }

    /// An interim (1xx) answer: another head follows.
    package var isInterim: Bool { 100..<200 ~= status }
    /// The empty line of a final head was seen. Stored: asked for every line, and a computed property of a struct inside an
    /// object copies the struct first.
    package private(set) var isFinalComplete = false

    /// Its length is told twice, or not as it should be: where the next answer starts is better not relied upon.
    package private(set) var isLaxlyFramed = false

    /// The connection may carry another request after this answer (RFC 9112 9.3).
    package var keepsConnection: Bool {
        !saysClose && !isLaxlyFramed && (!isHTTP10 || saysKeepAlive) && framing != .close
    }

    /// How the body ends; meaningful once `isFinalComplete`. The caller knows about HEAD.
    package private(set) var framing = ResponseFraming.close

    private var framingNow: ResponseFraming {
        if isInterim || status == 204 || status == 304 { return .none }
        if hasTransferEncoding { return .chunked }
        return contentLength.map { .length($0) } ?? .close
    }

    /// `Content-Length` as the head says it, checked, also for HEAD and 304; `nil` for 1xx and 204, which cannot have one.
    package private(set) var declaredLength: UInt64?

    /// The first body byte came: what follows are trailers, and a status line is a fault. Without a whole final head it
    /// changes nothing, so that `isFinalComplete` stays false.
    package mutating func bodyBegan() {
        if isFinalComplete { phase = .body }
    }

    /// Takes one line with its line end.
    package mutating func line(_ bytes: Span<UInt8>) throws(WireFault) {
        let count = bytes.count
        guard count >= 1, bytes[count - 1] == ByteClass.lineFeed else { throw .badLineEnd }
        let hasReturn = count >= 2 && bytes[count - 2] == ByteClass.carriageReturn
        let content = bytes.extracting(0..<count - (hasReturn ? 2 : 1))
        // `/` is no token byte, so that no field line can look like a status line.
        if phase == .status || (phase != .body && content.hasFoldedPrefix("http/")) {
            return try beginHead(content)
        }
        headBytes += count
        guard headBytes <= Self.maxHeadBytes else { throw .headTooLarge }
        if content.count == 0 { return try endHead() }
        lines += 1
        guard lines <= maxFields else { throw .tooManyFields }
        try field(content)
    }

    // MARK: Status line

    private mutating func beginHead(_ line: Span<UInt8>) throws(WireFault) {
        guard phase == .status || (phase == .ended) else { throw .unexpectedLine }
        let start = try version(line)
        guard line.count >= start + 3, ByteClass.space == line[start - 1] else { throw .badStatusLine }
        // RFC 9110 15: a class that does not exist (Qiniu's 612) counts as a 5xx, but three digits are grammar.
        guard let number = ASCII.decimal(line.extracting(start..<start + 3)), number >= 100,
            line.count == start + 3 || line[start + 3] == ByteClass.space
        else { throw badStatus(line.extracting(start..<line.count)) }
        guard ByteClass.endOfFieldText(line, from: start + 3) == line.count else { throw .badStatusLine }
        // This is a gateway that never asks for an upgrade; bytes after a 101 would be taken for a body.
        guard number != 101 else { throw .unsolicitedUpgrade }
        if number < 200 {
            interimCount += 1
            guard interimCount <= maxInterim else { throw .tooManyInterim }
        }
        status = Int(number)
        setReason(line.extracting(line.trimmedRange(start + 3..<line.count)))
        fields = PairBlock()
        (headBytes, lines, contentLength, hasTransferEncoding) = (line.count, 0, nil, false)
        (saysClose, saysKeepAlive, isLaxlyFramed) = (false, false, false)
        (phase, isFinalComplete) = (.fields, false)
    }

    /// Clients bound a status line at 8 KiB or so: longer words are no words.
    private static let mostReasonBytes = 1024

    /// Nearly every answer has the usual words, and needs no copy of them.
    private mutating func setReason(_ words: Span<UInt8>) {
        guard words.count <= Self.mostReasonBytes,
            !StatusPhrase.of(status).withSpan({ ASCII.equal(words, $0) })
        else { return reason = nil }
        var copy: [UInt8] = []
        copy.append(copying: words)
        reason = copy
    }

    private mutating func badStatus(_ text: Span<UInt8>) -> WireFault {
        var index = 0
        while index < min(text.count, 8), ByteClass.isToken(text[index]) { index += 1 }
        refusedStatus.append(copying: text.extracting(0..<index))
        return .badStatus
    }

    /// Offset of the status code.
    private mutating func version(_ line: Span<UInt8>) throws(WireFault) -> Int {
        // One comparison for what nearly every answer says: `HTTP/1.1`, little-endian.
        if line.count >= 9, line.word(at: 0) == 0x312E_312F_5054_5448, line[8] == ByteClass.space {
            isHTTP10 = false
            return 9
        }
        func matches(_ text: StaticString) -> Bool {
            let count = text.utf8CodeUnitCount
            guard line.count >= count else { return false }
            return text.withSpan { ASCII.equal(line.extracting(0..<count), $0) }
        }
        isHTTP10 = matches("HTTP/1.0 ")
        if isHTTP10 { return 9 }
        if allowsHTTP2, matches("HTTP/2 ") { return 7 }
        throw matches("HTTP/") ? .badVersion : .badStatusLine
    }

    // MARK: Fields

    private mutating func field(_ line: Span<UInt8>) throws(WireFault) {
        guard !ByteClass.isBlank(line[0]) else { throw .obsoleteFold }
        let (nameEnd, colon) = try parts(of: line)
        // Trailers are checked and dropped: a `Set-Cookie` there must not reach the session.
        guard phase == .fields else { return }
        let name = line.extracting(0..<nameEnd)
        let value = line.extracting(line.trimmedRange(colon + 1..<line.count))
        let isFraming =
            switch nameEnd {
            case 14: name.isFolded("content-length")
            case 17: name.isFolded("transfer-encoding")
            default: false
            }
        if isFraming {
            do throws(WireFault) {
                guard framesItself || colon == nameEnd else { throw .badFieldName }
                if colon > nameEnd { isLaxlyFramed = true }
                guard try nameEnd == 17 ? transferEncoding(value) : isNewLength(value) else { return }
            } catch {
                fieldName.append(copying: name)
                throw error
            }
        } else if nameEnd == 10, name.isFolded("connection") {
            connection(value)
        }
        if fields.isEmpty { fields.reserve(bytes: 512, entries: 16) }
        fields.append(name: name, value: value)
    }

    /// Where the name of a field ends, and its colon: the same, but for blanks that do not belong there.
    private mutating func parts(of line: Span<UInt8>) throws(WireFault) -> (nameEnd: Int, colon: Int) {
        var nameEnd = 0
        while nameEnd < line.count, ByteClass.isToken(line[nameEnd]) { nameEnd += 1 }
        var colon = nameEnd
        while colon < line.count, ByteClass.isBlank(line[colon]) { colon += 1 }
        let isName = nameEnd > 0 && colon < line.count && line[colon] == ByteClass.colon
        if isName, ByteClass.endOfFieldText(line, from: colon + 1) == line.count { return (nameEnd, colon) }
        fieldName.append(copying: line.extracting(0..<nameEnd))
        throw isName ? .badFieldValue : .badFieldName
    }

    private mutating func connection(_ value: Span<UInt8>) {
        var (close, keep) = (saysClose, saysKeepAlive)
        CommaList.forEach(value) { option in
            if option.isFolded("close") { close = true }
            if option.isFolded("keep-alive") { keep = true }
        }
        (saysClose, saysKeepAlive) = (close, keep)
    }

    /// False: said before.
    private mutating func isNewLength(_ value: Span<UInt8>) throws(WireFault) -> Bool {
        guard !hasTransferEncoding else { throw .conflictingLength }
        guard let number = ASCII.decimal(value) else { throw .badContentLength }
        guard let known = contentLength else {
            contentLength = number
            return true
        }
        guard known == number else { throw .duplicateContentLength }
        isLaxlyFramed = true
        return false
    }

    /// In HTTP/1.0 it means the framing is faulty (RFC 9112 6.1), in HTTP/2 it does not exist.
    private mutating func transferEncoding(_ value: Span<UInt8>) throws(WireFault) -> Bool {
        guard contentLength == nil else { throw .conflictingLength }
        guard !hasTransferEncoding, !isHTTP10, value.isFolded("chunked") else { throw .badTransferEncoding }
        hasTransferEncoding = true
        return true
    }

    /// What a fault was about, for the client and the log: the number that is no status, or the field; names only, values may
    /// be secret.
    package func detail(of fault: WireFault) -> String {
        if fault == .badStatus, !refusedStatus.isEmpty {
            return "\(fault.rawValue): \(String(decoding: refusedStatus, as: UTF8.self))"
        }
        guard !fieldName.isEmpty else { return fault.rawValue }
        return "\(fault.rawValue): field \(String(decoding: fieldName.prefix(64), as: UTF8.self))"
    }

    private mutating func endHead() throws(WireFault) {
        guard phase == .fields else { return }
        (headBytes, lines) = (0, 0)
        (phase, isFinalComplete) = (.ended, !isInterim)
        framing = framingNow
        declaredLength = isInterim || status == 204 ? nil : contentLength
    }
}
