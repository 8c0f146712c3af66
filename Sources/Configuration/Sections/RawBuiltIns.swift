import Domain

/// `aws_sigv4` as read.
struct RawAWS {
    var accessKey: Cursor?
    var secretKey: Cursor?
    var sessionToken: Cursor?
    var region: Cursor?
    var service: Cursor?
    var mode = AWSSigner.Mode.header
    var payload: AWSSigner.Payload?
    var isS3 = false
    var isAsymmetric = false
    var normalizes: Bool?
    var signsBodyHash: Bool?
    var omitsSessionToken = false
    var expires: UInt64 = 900_000_000_000
    var signedHeaders: [String] = []
    var chunkSize = AWSChunks.defaultSize
    var checksum = AWSChecksum.crc32c

    static var section: Section<RawAWS> {
        Section(RawAWS()) { initial in keyFields(initial) + bodyFields(initial) + requestFields(initial) }
    }

    private static func keyFields(_ initial: RawAWS) -> [Field<RawAWS>] {
        [
            .key("access_key", .template, into: \.accessKey, isRequired: true, "Access key id."),
            .key("secret_key", .template, into: \.secretKey, isRequired: true, "Secret access key."),
            .key("session_token", .template, into: \.sessionToken, note: "none", "Token of temporary credentials."),
            .key(
                "omit_session_token", .flag, into: \.omitsSessionToken, default: initial,
                "The session token is added after signing."),
            .key(
                "region", .template, into: \.region, isRequired: true,
                "Region, like `us-east-1`; with `asymmetric` a set, like `us-east-1,us-west-2`, `eu-*` or `*`."),
            .key(
                "asymmetric", .flag, into: \.isAsymmetric, default: initial,
                "Version 4a: one signature for several regions (S3's multi-region access points), with an ECDSA key that "
                    + "is derived from the secret."),
            .key("service", .template, into: \.service, isRequired: true, "Service, like `s3` or `execute-api`."),
        ]
    }

    private static func bodyFields(_ initial: RawAWS) -> [Field<RawAWS>] {
        [
            .key(
                "payload", words(AWSSigner.Payload.self), into: \.payload,
                note: "signed; unsigned for S3 in the query",
                "How the body is signed: its digest, not at all, or chunk by chunk as it is streamed (S3 only)."),
            .key(
                "sign_body", .flag, into: \.signsBodyHash, note: "as s3, false in the query",
                "Sends and signs `x-amz-content-sha256`."),
            .key(
                "chunk_size", .size(8192...1_048_576), into: \.chunkSize, default: initial,
                "Bytes of one chunk of a streamed body."),
            .key(
                "checksum", words(AWSChecksum.self), into: \.checksum, default: initial,
                "Checksum behind a streamed body with a trailer."),
        ]
    }

    private static func requestFields(_ initial: RawAWS) -> [Field<RawAWS>] {
        [
            .key(
                "mode", words(AWSSigner.Mode.self), into: \.mode, default: initial,
                "Where the signature goes: the `Authorization` field, or the query (a presigned URL)."),
            .key(
                "s3", .flag, into: \.isS3, default: initial,
                "S3's rules: the path is encoded once and never normalized, the body's digest is sent."),
            .key(
                "normalize", .flag, into: \.normalizes, note: "false for S3, else true",
                "Resolves empty, `.` and `..` segments of the signed path."),
            .key(
                "signed_headers", ValueReader.text("name of a field").list, into: \.signedHeaders, default: initial,
                "Fields that are signed beside `host` and `x-amz-*`; none means all that no hop changes."),
            .key(
                "expires", .positiveDuration, into: \.expires, default: initial,
                "How long a signature in the query holds."),
        ]
    }

    private static func words<Word: RawRepresentable & CaseIterable>(
        _: Word.Type
    ) -> ValueReader<Word> where Word.RawValue == String {
        .choice(Word.allCases.map { ($0.rawValue, $0) }) { $0.rawValue }
    }
}

/// `http_message_signature` as read.
struct RawMessageSignature {
    var label = "sig1"
    var algorithm: MessageSigner.Algorithm?
    var key: Cursor?
    var components: [Placed<String>] = []
    var parameters: [Named<Cursor>] = []
    var keepsClients = false

    static var section: Section<RawMessageSignature> {
        Section(RawMessageSignature()) { initial in
            [
                .key(
                    "label", .text("a label"), into: \.label, default: initial, "Name of the signature in its fields."),
                .key(
                    "algorithm", .choice(MessageSigner.Algorithm.allCases.map { ($0.rawValue, $0) }) { $0.rawValue },
                    into: \.algorithm, isRequired: true, "How it is signed."),
                .key(
                    "key", .template, into: \.key, isRequired: true,
                    "Private key (PEM, JWK, base 64 of DER) or the bytes of the shared secret."),
                .key(
                    "components", ValueReader.text("a component").placed.list, into: \.components, default: initial,
                    "What is signed, in order: `@method`, `@target-uri`, `@authority`, `@scheme`, `@request-target`, "
                        + "`@path`, `@query`, `@query-param;name=\"a\"`, or a field, with `;sf`, `;bs` or `;key=\"a\"`."
                ),
                .key(
                    "parameters", ValueReader.template.named("NAME", rule: .any), into: \.parameters,
                    default: initial,
                    "Parameters in the order written: `created`, `expires`, `nonce`, `keyid`, `alg`, `tag`. None: "
                        + "`created` alone."),
                .key(
                    "keep_client", .flag, into: \.keepsClients, default: initial,
                    "Send a client's own signatures beside ours (RFC 9421 4.3), and let components cover them "
                        + "(`signature;key=\"theirs\"`). A request that uses our label is refused. Otherwise a client's "
                        + "are dropped."),
            ]
        }
    }
}

/// `oauth1` as read.
struct RawOAuth1 {
    var consumerKey: Cursor?
    var consumerSecret: Cursor?
    var token: Cursor?
    var tokenSecret: Cursor?
    var privateKey: Cursor?
    var method = OAuthSigner.Method.hmacSHA1
    var placement = OAuthSigner.Placement.header
    var realm: Cursor?
    var sendsVersion = true
    var parameters: [Named<Cursor>] = []

    static var section: Section<RawOAuth1> {
        Section(RawOAuth1()) { initial in
            [
                .key("consumer_key", .template, into: \.consumerKey, isRequired: true, "Consumer (client) key."),
                .key("consumer_secret", .template, into: \.consumerSecret, note: "empty", "Its secret."),
                .key("token", .template, into: \.token, note: "none", "Token of the resource owner."),
                .key("token_secret", .template, into: \.tokenSecret, note: "empty", "Its secret."),
                .key("private_key", .template, into: \.privateKey, note: "none", "Private key of the RSA methods."),
                .key(
                    "method", .choice(OAuthSigner.Method.allCases.map { ($0.rawValue, $0) }) { $0.rawValue },
                    into: \.method, default: initial, "Signature method."),
                .key(
                    "placement", .choice(OAuthSigner.Placement.allCases.map { ($0.rawValue, $0) }) { $0.rawValue },
                    into: \.placement, default: initial, "Where the parameters go."),
                .key("realm", .template, into: \.realm, note: "none", "`realm` of the `Authorization` field."),
                .key("version", .flag, into: \.sendsVersion, default: initial, "Sends `oauth_version=\"1.0\"`."),
                .key(
                    "parameters", ValueReader.template.named("NAME", rule: .any), into: \.parameters,
                    default: initial, "More parameters that are signed, like `oauth_callback`."),
            ]
        }
    }
}

extension DigestSigner {
    /// `digest`: fields that tell the body's digest.
    static var section: Section<DigestSigner> {
        let algorithms = ValueReader.choice(Algorithm.allCases.map { ($0.rawValue, $0) }) { $0.rawValue }.list
        return Section(DigestSigner()) { initial in
            [
                .key("content_md5", .flag, into: \.contentMD5, default: initial, "`Content-MD5` (RFC 1864)."),
                .key(
                    "content_digest", algorithms, into: \.contentDigest, default: initial,
                    "`Content-Digest` (RFC 9530) with these algorithms."),
                .key(
                    "digest", algorithms, into: \.digest, default: initial, "`Digest` (RFC 3230) with these algorithms."
                ),
            ]
        }
    }
}
