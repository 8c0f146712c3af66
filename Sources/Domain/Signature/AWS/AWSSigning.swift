import Bytes
import Cryptography

/// One request on its way through `AWSSigner`.
struct AWSSigning {
    private let signer: AWSSigner
    private let draft: RequestDraft
    private let key: AWSKey
    private let accessKey: [UInt8]
    var sessionToken: [UInt8]?
    private var payload: AWSSigner.Payload
    private var payloadHash: [UInt8] = []
    /// Length of the body before it was framed.
    private var decodedCount: UInt64 = 0
    /// The checksum behind the body.
    private var trailer: AWSChecksum?
    private(set) var canonical: [UInt8] = []
    private(set) var text: [UInt8] = []
    private(set) var signature: [UInt8] = []

    init(_ signer: AWSSigner, _ draft: RequestDraft, key: AWSKey, accessKey: [UInt8]) {
        self.signer = signer
        self.draft = draft
        self.key = key
        self.accessKey = accessKey
        payload = signer.payload
    }

    // MARK: Body

    /// The body's hash or what stands for it, and the fields that announce a framed body.
    mutating func prepareBody(_ recipe: String) throws(GatewayError) {
        try yieldToOwnChecksum(recipe)
        if let literal = payload.literal {
            payloadHash = literal
        } else {
            switch draft.content {
            case .none: payloadHash = Self.hash([])
            case .held(let bytes): payloadHash = Self.hash(bytes)
            case .streamed: throw GatewayError.recipe("\(recipe): the body is streamed and cannot be signed")
            }
        }
        try placeChecksum(recipe)
        guard payload.isStreaming else { return }
        guard let count = draft.contentCount, let framed = framedCount(count) else {
            throw GatewayError.badRequest("\(recipe): the length of the body is not known, or too large")
        }
        decodedCount = count
        if case .streamed = draft.content { draft.content = .streamed(count: framed) }
        setContentCoding()
        append("x-amz-decoded-content-length", decimal(count))
        if let trailer { append("x-amz-trailer", trailer.fieldName) }
    }

    /// S3 takes one checksum ("Multiple checksum Types are not allowed"). The client's own in the head says what the client
    /// meant to send, so that S3 can compare; ours would only say what we were given, and stays away.
    private mutating func yieldToOwnChecksum(_ recipe: String) throws(GatewayError) {
        guard payload.hasTrailer, draft.fields.entries.indices.contains(where: { holdsChecksum($0) }) else { return }
        guard draft.checksum == nil else {
            throw GatewayError.badRequest("\(recipe): a checksum in the head and one behind the body: S3 takes one")
        }
        // Chunks without signatures have no form without a trailer.
        payload = payload == .streamingTrailer ? .streaming : .unsigned
    }

    /// `x-amz-checksum-sha256` and its like; `-algorithm`, `-type` and `-mode` are about one.
    private func holdsChecksum(_ index: Int) -> Bool {
        let name = draft.fields.name(at: index).map(ASCII.lower)
        let others = ["algorithm", "type", "mode"].map { Self.checksumPrefix + Array($0.utf8) }
        return name.starts(with: Self.checksumPrefix) && !others.contains(name)
    }

    private static let checksumPrefix = Array("x-amz-checksum-".utf8)

    /// The checksum that the client sent behind its body: behind ours, of the same kind, since S3 takes one and compares it
    /// with what `x-amz-sdk-checksum-algorithm` says; in the head where nothing comes behind our body.
    private mutating func placeChecksum(_ recipe: String) throws(GatewayError) {
        let sent = draft.checksum
        guard payload.hasTrailer else {
            if let sent, let value = sent.value,
                draft.fields.firstIndex(of: sent.name.span, folding: true) == nil
            {
                draft.fields.append(name: sent.name, value: value)
            }
            return
        }
        guard let sent else { return trailer = signer.checksum }
        guard let kind = sent.kind else {
            throw GatewayError.badRequest("\(recipe): no checksum of the kind in X-Amz-Trailer can be made here")
        }
        trailer = kind
    }

    private func framedCount(_ count: UInt64) -> UInt64? {
        AWSChunks.framedCount(
            of: count, isSigned: payload != .streamingUnsignedTrailer, size: signer.chunkSize, trailer: trailer)
    }

    /// `aws-chunked` comes first: it is the outermost coding.
    private func setContentCoding() {
        let name = Array("content-encoding".utf8)
        var value = Array("aws-chunked".utf8)
        if let own = draft.fields.first("content-encoding", folding: true), !own.isEmpty {
            value.append(0x2C)
            value.append(contentsOf: own)
        }
        draft.dropField(name)
        draft.fields.append(name: name, value: value)
    }

    /// Puts a held body into its frame now; a streamed one as it comes.
    func frameBody(_ recipe: String) throws(GatewayError) {
        guard payload.isStreaming else { return }
        let isSigned = payload != .streamingUnsignedTrailer
        let framer = AWSChunks(
            key: isSigned ? key : nil, seed: signature, size: signer.chunkSize, trailer: trailer)
        var body: [UInt8] = []
        switch draft.content {
        case .none: break
        case .held(let bytes): body = bytes
        case .streamed: return draft.framer = framer
        }
        var framed: [UInt8] = []
        framer.frame(body.span, into: &framed)
        framer.finish(into: &framed)
        draft.content = .held(framed)
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        let hash = Digest.hash(.sha256, bytes.span)
        return Hex.encode(hash.span)
    }

    // MARK: Placement

    mutating func signInHeader() throws(CryptographyError) {
        append("X-Amz-Date", key.date)
        if let regions = key.regionSet { append("X-Amz-Region-Set", regions) }
        if signer.signsBodyHash { append("x-amz-content-sha256", payloadHash) }
        if let sessionToken, !signer.omitsSessionToken { append("X-Amz-Security-Token", sessionToken) }
        let headers = headers()
        try sign(headers, query: draft.query ?? [])
        var value: [UInt8] = []
        value.reserveCapacity(256 + headers.byteCount)
        value.append(contentsOf: key.algorithm)
        value.append(contentsOf: " Credential=".utf8)
        value.append(contentsOf: accessKey)
        value.append(0x2F)
        value.append(contentsOf: key.scope)
        value.append(contentsOf: ", SignedHeaders=".utf8)
        headers.appendNames(to: &value)
        value.append(contentsOf: ", Signature=".utf8)
        value.append(contentsOf: signature)
        append("Authorization", value)
        if let sessionToken, signer.omitsSessionToken { append("X-Amz-Security-Token", sessionToken) }
    }

    mutating func signInQuery() throws(CryptographyError) {
        if signer.signsBodyHash { append("x-amz-content-sha256", payloadHash) }
        let headers = headers()
        var names: [UInt8] = []
        headers.appendNames(to: &names)
        addParameter("X-Amz-Algorithm", key.algorithm)
        addParameter("X-Amz-Credential", accessKey + [0x2F] + key.scope)
        addParameter("X-Amz-Date", key.date)
        if let regions = key.regionSet { addParameter("X-Amz-Region-Set", regions) }
        addParameter("X-Amz-Expires", decimal(signer.expires))
        if let sessionToken, !signer.omitsSessionToken { addParameter("X-Amz-Security-Token", sessionToken) }
        addParameter("X-Amz-SignedHeaders", names)
        try sign(headers, query: draft.query ?? [])
        if let sessionToken, signer.omitsSessionToken { addParameter("X-Amz-Security-Token", sessionToken) }
        addParameter("X-Amz-Signature", signature)
    }

    private mutating func sign(_ headers: AWSHeaders, query: [UInt8]) throws(CryptographyError) {
        canonical = AWSCanonical.request(
            method: draft.method, path: AWSCanonical.path(draft.path, normalize: signer.normalizes, isS3: signer.isS3),
            query: AWSCanonical.query(query), headers: headers, payload: payloadHash)
        text = key.stringToSign(canonical: canonical)
        signature = try key.requestSignature(text)
    }

    private func headers() -> AWSHeaders {
        var headers = AWSHeaders()
        headers.add("host", draft.host)
        let bytes = draft.fields.bytes
        for entry in draft.fields.entries {
            let (nameStart, valueStart) = (Int(entry.nameStart), Int(entry.valueStart))
            let name = bytes.span.extracting(nameStart..<nameStart + Int(entry.nameCount))
            guard signer.signs(name) || Self.isOwn(name) else { continue }
            headers.add(name, bytes.span.extracting(valueStart..<valueStart + Int(entry.valueCount)))
        }
        // S3's example for chunks signs the length, the one with a trailer does not.
        if payload == .streaming, let count = framedCount(decodedCount) {
            headers.add("content-length", decimal(count))
        }
        return headers
    }

    /// Whatever list of headers the config gives, `x-amz-` fields are always signed (the services insist).
    private static func isOwn(_ name: Span<UInt8>) -> Bool {
        name.count > ownPrefix.count && ASCII.equalFolded(name.extracting(0..<ownPrefix.count), ownPrefix.span)
    }

    private static let ownPrefix = Array("x-amz-".utf8)

    private func append(_ name: StaticString, _ value: [UInt8]) {
        name.withSpan { draft.fields.append(name: $0, value: value.span) }
    }

    private func addParameter(_ name: StaticString, _ value: [UInt8]) {
        var text = name.bytes
        text.append(0x3D)
        Percent.encode(value.span, into: &text)
        draft.appendToQuery(text)
    }

    private func decimal(_ number: UInt64) -> [UInt8] {
        var text: [UInt8] = []
        text.append(decimal: number)
        return text
    }
}
