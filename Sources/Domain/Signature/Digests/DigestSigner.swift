import Bytes
import Cryptography

/// Digests of the body as header fields (`signatures.NAME.digest`), set before anything is signed.
package struct DigestSigner: RequestSigner {
    package enum Algorithm: String, Sendable, CaseIterable {
        case sha256 = "sha-256"
        case sha512 = "sha-512"

        fileprivate var algorithm: DigestAlgorithm { self == .sha256 ? .sha256 : .sha512 }
    }

    /// `Content-MD5` (RFC 1864).
    package var contentMD5 = false
    /// `Content-Digest` (RFC 9530), in this order.
    package var contentDigest: [Algorithm] = []
    /// `Digest` (RFC 3230, what draft-cavage servers want).
    package var digest: [Algorithm] = []

    package init() {}

    package var body: BodyNeed { .whole }

    package var owned: [OwnedName] {
        var names: [OwnedName] = []
        if contentMD5 { names.append(OwnedName(.header, "Content-MD5")) }
        if !contentDigest.isEmpty { names.append(OwnedName(.header, "Content-Digest")) }
        if !digest.isEmpty { names.append(OwnedName(.header, "Digest")) }
        return names
    }

    package func sign(_ draft: RequestDraft, _ scope: ExchangeScope, recipe: String) throws(GatewayError) {
        var body: [UInt8] = []
        switch draft.content {
        case .none: break
        case .held(let bytes): body = bytes
        case .streamed: throw GatewayError.recipe("\(recipe): the body is streamed and cannot be digested")
        }
        if contentMD5 { add("Content-MD5", Self.base64(.md5, body), draft) }
        if !contentDigest.isEmpty { add("Content-Digest", Self.field(contentDigest, of: body), draft) }
        if !digest.isEmpty {
            let parts = digest.map { Array("\($0.rawValue.uppercased())=".utf8) + Self.base64($0.algorithm, body) }
            add("Digest", Array(parts.joined(separator: [0x2C])), draft)
        }
    }

    /// `sha-256=:...:, sha-512=:...:`.
    package static func field(_ algorithms: [Algorithm], of body: [UInt8]) -> [UInt8] {
        let parts = algorithms.map { Array("\($0.rawValue)=:".utf8) + base64($0.algorithm, body) + [0x3A] }
        return Array(parts.joined(separator: [0x2C, 0x20]))
    }

    private static func base64(_ algorithm: DigestAlgorithm, _ body: [UInt8]) -> [UInt8] {
        let hash = Digest.hash(algorithm, body.span)
        return Base64.encode(hash.span)
    }

    private func add(_ name: String, _ value: [UInt8], _ draft: RequestDraft) {
        let name = Array(name.utf8)
        draft.dropField(name)
        draft.fields.append(name: name, value: value)
    }
}
