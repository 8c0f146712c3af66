/// What one request went out with under HTTP Digest.
package struct DigestSent: Sendable, Equatable {
    package var nonce: [UInt8]
    /// The `rspauth` that shows that the server knows the password too (RFC 7616 3.5); nil: not to be checked, as with
    /// `auth-int`, where it covers a body that has not arrived.
    package var proof: [UInt8]?

    package init(nonce: [UInt8], proof: [UInt8]? = nil) {
        self.nonce = nonce
        self.proof = proof
    }
}
