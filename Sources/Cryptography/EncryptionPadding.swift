/// How RSA encryption pads.
package enum EncryptionPadding: Hashable, Sendable {
    /// RSAES-PKCS1-v1_5: what old login pages use. Decryption is open to padding oracles; never answer per cause.
    case pkcs1
    /// RSAES-OAEP; the same digest for the label and for MGF1.
    case oaep(DigestAlgorithm)
}
