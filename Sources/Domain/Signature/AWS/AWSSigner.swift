package import Bytes
import Cryptography
package import Expressions

/// AWS Signature Version 4 and 4a (`signatures.NAME.aws_sigv4`): in the header or in the query, for S3 and for all else.
package struct AWSSigner: RequestSigner {
    package enum Mode: String, Sendable, CaseIterable { case header, query }

    /// What stands for the body in the canonical request.
    package enum Payload: String, Sendable, CaseIterable {
        /// Its SHA-256.
        case signed
        case unsigned
        /// Chunk by chunk.
        case streaming
        /// The same with a signed checksum behind it.
        case streamingTrailer = "streaming-trailer"
        /// Chunks without signatures, with a checksum behind them (over TLS only).
        case streamingUnsignedTrailer = "streaming-unsigned-trailer"

        var literal: [UInt8]? {
            switch self {
            case .signed: nil
            case .unsigned: Array("UNSIGNED-PAYLOAD".utf8)
            case .streaming: Array("STREAMING-AWS4-HMAC-SHA256-PAYLOAD".utf8)
            case .streamingTrailer: Array("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER".utf8)
            case .streamingUnsignedTrailer: Array("STREAMING-UNSIGNED-PAYLOAD-TRAILER".utf8)
            }
        }

        package var isStreaming: Bool { self != .signed && self != .unsigned }
        var hasTrailer: Bool { self == .streamingTrailer || self == .streamingUnsignedTrailer }
    }

    package var accessKey: Template
    package var secretKey: Template
    /// Token of temporary credentials; `nil`, or an empty text: long-lived keys.
    package var sessionToken: Template?
    package var region: Template
    package var service: Template
    package var mode = Mode.header
    package var payload = Payload.signed
    /// S3's rules: the path is encoded once and never normalized.
    package var isS3 = false
    /// Version 4a: `region` is a set of them.
    package var isAsymmetric = false
    /// Dot segments and doubled slashes are taken out of the canonical path. Not with S3.
    package var normalizes = true
    /// `x-amz-content-sha256` is sent and signed.
    package var signsBodyHash = false
    /// The session token is added after signing.
    package var omitsSessionToken = false
    /// Seconds, for the query.
    package var expires: UInt64 = 900
    /// Lower case; empty: all but those of `unsigned`.
    package var signedHeaders: [[UInt8]] = []
    /// Bytes of data in one signed chunk.
    package var chunkSize = AWSChunks.defaultSize
    /// What a streamed trailer holds.
    package var checksum = AWSChecksum.crc32c
    private let keys = AWSKeyCache()

    package init(
        accessKey: Template, secretKey: Template, region: Template, service: Template
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.region = region
        self.service = service
    }

    /// Fields that a hop may change, or that the transport writes: signing them breaks sooner or later (dialects 2.4).
    private static let unsigned: [[UInt8]] = [
        "accept-encoding", "authorization", "connection", "content-length", "expect", "host", "keep-alive", "te",
        "trailer", "transfer-encoding", "upgrade", "user-agent", "via", "x-amzn-trace-id",
    ].map { Array($0.utf8) }

    package var body: BodyNeed {
        switch payload {
        case .signed: .whole
        case .unsigned: .nothing
        case .streaming, .streamingTrailer, .streamingUnsignedTrailer: .length
        }
    }

    package var owned: [OwnedName] {
        let headers = [
            "Authorization", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Content-Sha256",
            "X-Amz-Decoded-Content-Length", "X-Amz-Trailer", "X-Amz-Region-Set",
        ]
        let query = [
            "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders",
            "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-Region-Set",
        ]
        return headers.map { OwnedName(.header, $0) } + query.map { OwnedName(.query, $0) }
    }

    package func unframer(of fields: PairBlock) throws(GatewayError) -> AWSUnframer? {
        try AWSUnframer(fields, sendsTrailer: payload.hasTrailer)
    }

    package func sign(_ draft: RequestDraft, _ scope: ExchangeScope, recipe: String) throws(GatewayError) {
        let access = try text(accessKey, "access_key")
        var run = AWSSigning(self, draft, key: try key(access, scope, recipe), accessKey: access)
        func text(_ template: Template, _ name: String) throws(GatewayError) -> [UInt8] {
            try template.text(scope, recipe, name)
        }
        if let sessionToken {
            run.sessionToken = try text(sessionToken, "session_token")
        }
        try run.prepareBody(recipe)
        do throws(CryptographyError) {
            switch mode {
            case .header: try run.signInHeader()
            case .query: try run.signInQuery()
            }
        } catch {
            throw GatewayError.recipe("\(recipe): \(error)")
        }
        scope.noteSigned(
            recipe, signature: run.signature, [("canonical request", run.canonical), ("string to sign", run.text)])
        try run.frameBody(recipe)
    }

    private func key(
        _ access: [UInt8], _ scope: ExchangeScope, _ recipe: String
    ) throws(GatewayError) -> AWSKey {
        guard let time = Timestamp(seconds: scope.now.seconds) else {
            throw GatewayError.recipe("\(recipe): the clock is out of range")
        }
        let secret = try secretKey.text(scope, recipe, "secret_key")
        let (region, service) = (
            try region.text(scope, recipe, "region"), try service.text(scope, recipe, "service")
        )
        guard isAsymmetric else {
            return AWSKey(secret: secret, region: region, service: service, time: time, cache: keys)
        }
        do throws(EvaluationError) {
            return try AWSKey(
                asymmetric: secret, accessKey: access, regionSet: region, service: service, time: time)
        } catch {
            throw GatewayError.recipe("\(recipe), secret_key", error, using: secretKey.references)
        }
    }

    /// Whether a field of the request is signed.
    func signs(_ name: Span<UInt8>) -> Bool {
        signedHeaders.isEmpty
            ? !OwnedFields.contains(Self.unsigned, name, folding: true)
            : OwnedFields.contains(signedHeaders, name, folding: true)
    }
}
