package import Bytes
package import HTTPWire

/// Takes off the frame that a client of S3 puts around an upload (`aws-chunked`): sizes, the client's own signatures, and
/// a checksum behind the content. It was signed with a key that the upstream does not know, so it would be content there.
///
/// The client's signatures are not looked at: whoever may use the gateway needs no key. Lengths and checksums are.
package struct AWSUnframer {
    /// What came, or will come, behind the content.
    package struct Checksum {
        /// Lower case.
        package let name: [UInt8]
        /// `nil` until it is there.
        package fileprivate(set) var value: [UInt8]?
        /// `nil`: one that is not known here.
        package var kind: AWSChecksum? { AWSChecksum.allCases.first { $0.fieldName == name } }
    }

    private static let coding = Array("aws-chunked".utf8)
    private static let encoding = Array("content-encoding".utf8)
    private static let signature = Array("x-amz-trailer-signature".utf8)
    private static let prefix = Array("x-amz-checksum-".utf8)

    /// Length of the content, as announced; `nil`: not announced.
    package let declared: UInt64?
    /// The checksum can only go into the head of our request, which therefore waits for it.
    package let mustHold: Bool
    private var checksum: Checksum?
    private var decoder: ChunkedDecoder
    private var running: AWSChecksum.Running?
    /// The last byte is kept back until the checksum is known to be right: an upstream that was told the length would take
    /// a body for complete before that.
    private var last: UInt8?
    /// All was there and as announced.
    package private(set) var isFinished = false

    /// - Parameters:
    ///   - fields: of the client's request.
    ///   - sendsTrailer: our own request has a checksum behind its body.
    /// - Returns: `nil` when the client framed nothing. Clients without a key send the coding only, older ones with a key
    ///   the digest only.
    /// - Throws: `.badRequest` when the head announces what cannot be.
    package init?(_ fields: PairBlock, sendsTrailer: Bool) throws(GatewayError) {
        let digest = try Self.single("x-amz-content-sha256", fields)
        guard Self.announcesChunks(digest) || Self.codings(fields).isFramed else { return nil }
        var declared: UInt64?
        if let text = try Self.single("x-amz-decoded-content-length", fields) {
            guard let count = ASCII.decimal(text.span) else { throw Self.error("has no valid decoded length") }
            declared = count
        }
        self.declared = declared
        if let name = try Self.single("x-amz-trailer", fields)?.map(ASCII.lower) {
            guard name.starts(with: Self.prefix), CommaList.holdsTokens(name.span), !name.contains(0x2C) else {
                throw Self.error("has another trailer than one checksum")
            }
            checksum = Checksum(name: name, value: nil)
        }
        running = checksum?.kind.map { AWSChecksum.Running($0) }
        mustHold = checksum != nil && !sendsTrailer
        var limits = WireLimits()
        // Each chunk has a signature: all of them together grow with the body, which has a limit of its own.
        limits.chunkExtensions = .max
        decoder = ChunkedDecoder(limits: limits, bodyLimit: declared ?? .max, isContent: true)
    }

    /// How the content is delimited without its frame.
    package var framing: BodyFraming { declared.map { .length($0) } ?? .chunked }

    // MARK: Content

    /// Appends the content that a piece of the body holds.
    /// - Throws: `.badRequest`.
    package mutating func take(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(GatewayError) {
        let start = output.count
        if let last { output.append(last) }
        var position = 0
        var step = decoder.next(bytes, at: &position)
        while case .data(let range) = step {
            let data = bytes.extracting(range)
            output.append(copying: data)
            running?.update(data)
            step = decoder.next(bytes, at: &position)
        }
        last = output.count > start ? output.removeLast() : nil
        switch step {
        case .refused(let refusal) where refusal.reason == .bodyTooLarge:
            throw Self.error("is longer than X-Amz-Decoded-Content-Length")
        case .refused(let refusal): throw Self.error("is malformed: \(refusal.reason.rawValue)")
        case .done where position < bytes.count: throw Self.error("goes on behind its end")
        case .done, .needMore, .data: break
        }
    }

    /// The body is over. Appends the last byte.
    /// - Throws: `.badRequest` unless it is complete, as long as announced, and its checksum right.
    package mutating func finish(into output: inout [UInt8]) throws(GatewayError) {
        guard decoder.isFinished else { throw Self.error("ends early") }
        if let declared, declared != decoder.decodedCount {
            throw Self.error("is shorter than X-Amz-Decoded-Content-Length")
        }
        try readTrailers()
        if let last { output.append(last) }
        last = nil
        isFinished = true
    }

    /// The content of a body that is here.
    package mutating func content(of body: [UInt8]) throws(GatewayError) -> [UInt8] {
        var content: [UInt8] = []
        try take(body.span, into: &content)
        try finish(into: &content)
        return content
    }

    private mutating func readTrailers() throws(GatewayError) {
        for line in decoder.trailers.split(separator: 0x0A) {
            let end = line.firstIndex(of: 0x3A) ?? line.endIndex
            let name = line[..<end].map(ASCII.lower)
            if name == Self.signature { continue }
            let value = Array(ASCII.trimmed(line[end...].dropFirst()))
            guard name == checksum?.name, checksum?.value == nil, !value.isEmpty else {
                throw Self.error("has a trailer that X-Amz-Trailer does not name")
            }
            if let running, running.text() != value { throw Self.error("does not have the checksum behind it") }
            checksum?.value = value
        }
        if let checksum, checksum.value == nil { throw Self.error("lacks the trailer that X-Amz-Trailer names") }
    }

    // MARK: Head

    /// Takes the announcement of the frame out of the request; the fields that only a signature has are dropped as owned.
    package func mark(_ draft: RequestDraft) {
        draft.checksum = checksum
        let (isFramed, others) = Self.codings(draft.fields)
        guard isFramed else { return }
        draft.dropField(Self.encoding)
        if !others.isEmpty { draft.fields.append(name: Self.encoding, value: others) }
    }

    /// Whether the content is in `aws-chunked`, and the value of `Content-Encoding` without it.
    private static func codings(_ fields: PairBlock) -> (isFramed: Bool, others: [UInt8]) {
        var (isFramed, others): (Bool, [UInt8]) = (false, [])
        var index = fields.firstIndex(of: encoding.span, folding: true)
        while let found = index {
            for member in fields.value(at: found).split(separator: 0x2C) {
                let name = ASCII.trimmed(member)
                if ASCII.equalFolded(name.span, coding.span) {
                    isFramed = true
                } else if !name.isEmpty {
                    if !others.isEmpty { others.append(0x2C) }
                    others.append(contentsOf: name)
                }
            }
            index = fields.firstIndex(of: encoding.span, folding: true, from: found + 1)
        }
        return (isFramed, others)
    }

    /// `STREAMING-…-PAYLOAD` and `STREAMING-…-PAYLOAD-TRAILER`, but not event streams, which are another frame.
    private static func announcesChunks(_ digest: [UInt8]?) -> Bool {
        guard let digest, digest.starts(with: "STREAMING-".utf8) else { return false }
        return ["-PAYLOAD", "-PAYLOAD-TRAILER"].contains { digest.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    private static func single(_ name: StaticString, _ fields: PairBlock) throws(GatewayError) -> [UInt8]? {
        let name = name.bytes
        guard let index = fields.firstIndex(of: name.span, folding: true) else { return nil }
        guard fields.firstIndex(of: name.span, folding: true, from: index + 1) == nil else {
            throw GatewayError.badRequest("\(String(decoding: name, as: UTF8.self)) is there twice")
        }
        return Array(fields.value(at: index))
    }

    private static func error(_ text: String) -> GatewayError {
        GatewayError.badRequest("the aws-chunked content \(text)")
    }
}
