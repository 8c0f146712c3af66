import Cryptography
import Expressions

private let message = Array("message".utf8)

/// Any text as a key (PEM, DER, base 64, JWK, raw) and as a token: no trap, no leak, and a private key that was taken signs
/// what its public half verifies.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let key = try? KeyCache.shared.privateKey(input[...]), let scheme = scheme(key.kind),
        let signature = try? key.sign(message.span, scheme)
    {
        let isRight = try? key.publicKey.verify(signature.span, over: message.span, scheme)
        if isRight != true { fatalError("a key that signs for nobody") }
    }
    if let key = try? KeyCache.shared.publicKey(input[...]) {
        _ = try? JWK.thumbprint(key)
        _ = try? key.verify(input.span, over: message.span, .ecdsa(.sha256, .der))
    }
    _ = JWK.secret(input[...])
    _ = try? JOSE.verifies(input[...], .HS256, key: message[...])
    return 0
}

private func scheme(_ kind: KeyKind) -> SignatureScheme? {
    switch kind {
    // A modulus that is no product of two primes still decodes.
    case .rsa: nil
    case .ed25519: .ed25519
    case .sm2: .sm2(identity: message, .raw)
    case .p256, .p384, .p521, .secp256k1: .ecdsa(.sha256, .raw)
    }
}

/// What lives as long as the process: see the driver of CEL.
@c(__lsan_default_suppressions)
public func suppressions() -> UnsafePointer<CChar> {
    let text: StaticString = "leak:FunctionTable\nleak:_WZ\n"
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
