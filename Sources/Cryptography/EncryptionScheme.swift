/// How a few bytes are encrypted with a public key.
package enum EncryptionScheme: Hashable, Sendable {
    /// RSAES-PKCS1-v1_5: what old login pages use. Decryption is open to padding oracles; never answer per cause.
    case rsaPKCS1
    /// RSAES-OAEP: the digest of the label, and the one that MGF1 works with.
    case rsaOAEP(DigestAlgorithm, mask: DigestAlgorithm)
    /// The bare power of the message as a number: what some script libraries of login pages do.
    case rsaRaw
    /// SM2 with SM3 (GB/T 32918.4): the point (0x04, x, y), the check (C3), then the text (C2).
    case sm2
}
