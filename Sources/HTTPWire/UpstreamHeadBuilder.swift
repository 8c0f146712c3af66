package import Bytes

/// Checks the head lines of an upstream's answer as they come, because libcurl does not: it takes `Content-Length: +2`,
/// lists and differing duplicates, and delivers 1xx fields and trailers through the same callback as the head's own.
/// A status line begins a new head; only the fields of the last head are kept.
package struct UpstreamHeadBuilder: Sendable {
    private enum Phase { case status, fields, ended, body }

    private let maxFields: Int
    private let maxInterim: Int
    private let allowsHTTP2: Bool
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
    package init(maxFields: Int = 200, maxInterim: Int = 16, allowsHTTP2: Bool = false) {
        self.maxFields = maxFields
        self.maxInterim = maxInterim
        self.allowsHTTP2 = allowsHTTP2
    }

    /// An interim (1xx) answer: another head follows.
    package var isInterim: Bool { 100..<200 ~= status }
    /// The empty line of a final head was seen. Stored: asked for every line, and a computed property of a struct inside an
    /// object copies the struct first.
    package private(set) var isFinalComplete = false

    /// The connection may carry another request after this answer (RFC 9112 9.3).
    package var keepsConnection: Bool { !saysClose && (!isHTTP10 || saysKeepAlive) && framing != .close }

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
        guard count >= 2, bytes[count - 1] == ByteClass.lineFeed, bytes[count - 2] == ByteClass.carriageReturn else {
            throw .badLineEnd
        }
        let content = bytes.extracting(0..<count - 2)
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
        (saysClose, saysKeepAlive) = (false, false)
        (phase, isFinalComplete) = (.fields, false)
    }

    /// Nearly every answer has the usual words, and needs no copy of them.
    private mutating func setReason(_ words: Span<UInt8>) {
        guard !StatusPhrase.of(status).withSpan({ ASCII.equal(words, $0) }) else { return reason = nil }
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

    /// For operators: the fault, with the number that is no status.
    package func detail(of fault: WireFault) -> String {
        guard fault == .badStatus, !refusedStatus.isEmpty else { return fault.rawValue }
        return "\(fault.rawValue): \(String(decoding: refusedStatus, as: UTF8.self))"
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
        var nameEnd = 0
        while nameEnd < line.count, ByteClass.isToken(line[nameEnd]) { nameEnd += 1 }
        guard nameEnd > 0, nameEnd < line.count, line[nameEnd] == ByteClass.colon else { throw .badFieldName }
        guard ByteClass.endOfFieldText(line, from: nameEnd + 1) == line.count else { throw .badFieldValue }
        // Trailers are checked and dropped: a `Set-Cookie` there must not reach the session.
        guard phase == .fields else { return }
        let name = line.extracting(0..<nameEnd)
        let value = line.extracting(line.trimmedRange(nameEnd + 1..<line.count))
        switch nameEnd {
        case 10: if name.isFolded("connection") { connection(value) }
        case 14: if name.isFolded("content-length") { try length(value) }
        case 17: if name.isFolded("transfer-encoding") { try transferEncoding(value) }
        default: break
        }
        if fields.isEmpty { fields.reserve(bytes: 512, entries: 16) }
        fields.append(name: name, value: value)
    }

    private mutating func connection(_ value: Span<UInt8>) {
        var (close, keep) = (saysClose, saysKeepAlive)
        CommaList.forEach(value) { option in
            if option.isFolded("close") { close = true }
            if option.isFolded("keep-alive") { keep = true }
        }
        (saysClose, saysKeepAlive) = (close, keep)
    }

    private mutating func length(_ value: Span<UInt8>) throws(WireFault) {
        guard contentLength == nil else { throw .duplicateContentLength }
        guard !hasTransferEncoding else { throw .conflictingLength }
        guard let number = ASCII.decimal(value) else { throw .badContentLength }
        contentLength = number
    }

    /// In HTTP/1.0 it means the framing is faulty (RFC 9112 6.1), in HTTP/2 it does not exist.
    private mutating func transferEncoding(_ value: Span<UInt8>) throws(WireFault) {
        guard contentLength == nil else { throw .conflictingLength }
        guard !hasTransferEncoding, !isHTTP10, value.isFolded("chunked") else { throw .badTransferEncoding }
        hasTransferEncoding = true
    }

    private mutating func endHead() throws(WireFault) {
        guard phase == .fields else { return }
        (headBytes, lines) = (0, 0)
        (phase, isFinalComplete) = (.ended, !isInterim)
        framing = framingNow
        declaredLength = isInterim || status == 204 ? nil : contentLength
    }
}
