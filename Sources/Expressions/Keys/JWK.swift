import Bytes
package import Cryptography
import JSONBytes

/// JSON Web Keys (RFC 7517): RSA, EC (P-256, P-384, P-521, secp256k1), OKP Ed25519, and shared secrets.
package enum JWK {
    /// A text in braces is read as a JWK wherever a key is taken.
    static func isOne(_ text: ArraySlice<UInt8>) -> Bool {
        text.first { $0 != 0x20 && $0 &- 0x09 > 4 } == UInt8(ascii: "{")
    }

    /// The shared secret of `kty` `oct`; `nil` for any other text.
    package static func secret(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard isOne(text), let key = try? parse(text), key.member("kty")?.string == Array("oct".utf8) else {
            return nil
        }
        return try? bytes("k", of: key)
    }

    static func privateKey(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> PrivateKey {
        let key = try parse(text)
        do throws(CryptographyError) {
            switch try kind(of: key) {
            case .rsa:
                var numbers: [[UInt8]] = []
                for name in ["n", "e", "d", "p", "q", "dp", "dq", "qi"] as [StaticString] {
                    numbers.append(try bytes(name, of: key))
                }
                return try PrivateKey(rsa: numbers)
            case let curve where curve != .ed25519:
                return try PrivateKey(
                    curve: curve, d: try bytes("d", of: key), x: try bytes("x", of: key), y: try bytes("y", of: key))
            default:
                let seed = try bytes("d", of: key)
                return try PrivateKey(ed25519Seed: seed.span)
            }
        } catch {
            throw EvaluationError(.failed, error.description)
        }
    }

    static func publicKey(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> PublicKey {
        let key = try parse(text)
        do throws(CryptographyError) {
            switch try kind(of: key) {
            case .rsa:
                return try PublicKey(.rsa(modulus: try bytes("n", of: key), exponent: try bytes("e", of: key)))
            case .ed25519: return try PublicKey(.ed25519(try bytes("x", of: key)))
            case let curve:
                return try PublicKey(.point(curve, x: try bytes("x", of: key), y: try bytes("y", of: key)))
            }
        } catch {
            throw EvaluationError(.failed, error.description)
        }
    }

    private static func parse(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> JSONValue {
        guard let root = try? JSONDocument(parsing: Array(text)).root, root.kind == .object else {
            throw EvaluationError(.failed, "the JWK is no JSON object")
        }
        return root
    }

    private static func kind(of key: JSONValue) throws(CryptographyError) -> KeyKind {
        let type = String(decoding: key.member("kty")?.string ?? [], as: UTF8.self)
        let curve = String(decoding: key.member("crv")?.string ?? [], as: UTF8.self)
        if type == "RSA" { return .rsa(bits: 0) }
        if type == "OKP", curve == "Ed25519" { return .ed25519 }
        // No registered curve but those of RFC 7518 and RFC 8812: SM2 has no JWK.
        guard type == "EC", let kind = KeyKind.curve(named: curve), kind != .sm2 else {
            throw CryptographyError(
                .unreadableKey, "a JWK is RSA, EC on P-256, P-384, P-521 or secp256k1, or OKP Ed25519")
        }
        return kind
    }

    private static func bytes(_ name: StaticString, of key: JSONValue) throws(CryptographyError) -> [UInt8] {
        guard let text = key.member(name)?.string,
            let decoded = Base64.decode(text.span, alphabet: .url, padding: .optional)
        else { throw CryptographyError(.unreadableKey, "the JWK has no \(name)") }
        return decoded
    }

    // MARK: Public halves

    /// The members that RFC 7638 counts, in its order and without blanks: the public key as JWK, and what its thumbprint
    /// is taken of.
    package static func canonical(_ key: PublicKey) throws(EvaluationError) -> [UInt8] {
        guard let components = key.components else { throw EvaluationError(.failed, "the key has no JWK") }
        switch components {
        case .rsa(let modulus, let exponent):
            return members([("e", exponent), ("kty", nil), ("n", modulus)], "RSA", nil)
        case .point(let curve, let x, let y):
            guard curve != .sm2 else { throw EvaluationError(.failed, "an SM2 key has no JWK") }
            return members([("crv", nil), ("kty", nil), ("x", x), ("y", y)], "EC", curve.curveName)
        case .ed25519(let x): return members([("crv", nil), ("kty", nil), ("x", x)], "OKP", "Ed25519")
        }
    }

    private static func members(
        _ members: [(name: StaticString, value: [UInt8]?)], _ type: String, _ curve: String?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for member in members {
            writer.key(member.name)
            if let value = member.value {
                let text = Base64.encode(value.span, alphabet: .url, padding: false)
                writer.string(text.span)
            } else {
                let isType = "\(member.name)" == "kty"
                let text = Array((isType ? type : curve ?? "").utf8)
                writer.string(text.span)
            }
        }
        writer.endObject()
        return writer.bytes
    }

    /// `jkt`: SHA-256 of the canonical members (RFC 7638), base 64 for URLs.
    package static func thumbprint(_ key: PublicKey) throws(EvaluationError) -> [UInt8] {
        let text = try canonical(key)
        let hash = Digest.hash(.sha256, text.span)
        return Base64.encode(hash.span, alphabet: .url, padding: false)
    }
}
