/// What becomes of a secret that a function is given. A function that is named in neither list makes a secret of it, so
/// that a new one hides too much rather than too little.
extension Function {
    private static let oneWayPrefixes = [
        "hash.", "hmac.", "cmac.", "ecdsa.", "ed25519.", "rsa.", "sm2.", "aes.encrypt", "des.encrypt", "sm4.encrypt",
        "chacha20.encrypt", "jwk.",
    ]
    private static let oneWay: Set<String> = [
        "totp", "jwt.verify", "ec.public", "size", "indexOf", "lastIndexOf",
    ]
    private static let opening: Set<String> = [
        "rsa.decrypt", "rsa.decryptOaep", "rsa.decryptOaepSha256", "rsa.decryptOaepSha256Sha1", "sm2.decrypt",
    ]
    private static let keepingPrefixes = ["json.", "pairs.", "php.", "xml.", "sf.", "optional."]
    private static let keeping: Set<String> = [
        "join", "string", "bytes", "dyn", "or", "orValue", "value", "url.canonicalQuery", "strings.quote", "jwt.sign",
    ]

    /// Nothing leads back from the result: digests, signatures, encryption, a length. A derived key is no such thing.
    var isOneWay: Bool {
        Self.oneWay.contains(name)
            || Self.oneWayPrefixes.contains { name.hasPrefix($0) } && !Self.opening.contains(name)
    }

    /// The parts of the arguments stand in the result as they are, or in a spelling that is looked for: percent-encoded,
    /// escaped in JSON or XML, inside base64.
    var keepsParts: Bool {
        Self.keeping.contains(name) || Self.keepingPrefixes.contains { name.hasPrefix($0) }
    }

    /// Those arguments that the result leads back to. A token shows its claims and not its key.
    func shown(_ arguments: [Value]) -> [Value] { name == "jwt.sign" ? Array(arguments.dropFirst(2)) : arguments }
}
