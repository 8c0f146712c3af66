import Domain
import Expressions

/// `digest_auth` as read.
struct RawDigestAuth {
    var username: Cursor?
    var password: Cursor?

    static var section: Section<RawDigestAuth> {
        Section(RawDigestAuth()) { _ in
            [
                .key("username", .template, into: \.username, isRequired: true, "User name."),
                .key("password", .template, into: \.password, isRequired: true, "Password."),
            ]
        }
    }
}

/// `dpop` as read.
struct RawDPoP {
    var key: Cursor?
    var algorithm = JOSE.Algorithm.ES256
    var token: Cursor?

    /// Proofs are signed with a key of their own, never with a shared secret (RFC 9449 4.2).
    private static let algorithms: [JOSE.Algorithm] = [.ES256, .ES384, .EdDSA, .RS256, .PS256]

    static var section: Section<RawDPoP> {
        Section(RawDPoP()) { initial in
            [
                .key("key", .template, into: \.key, isRequired: true, "Private key, PEM or JWK."),
                .key(
                    "algorithm", .choice(algorithms.map { ($0.rawValue, $0) }) { $0.rawValue }, into: \.algorithm,
                    default: initial, "How proofs are signed."),
                .key(
                    "token", .template, into: \.token, note: "`${session.access_token}` where there is one",
                    "The access token that proofs are bound to (`ath`)."),
            ]
        }
    }
}
