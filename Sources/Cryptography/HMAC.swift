/// Keyed hashes, RFC 2104.
package enum HMAC {
    /// HMAC of one message. Any key length, also empty (RFC 2104 allows it; Feishu's bot signs an empty message).
    /// The library's idle context remembers the last key of each algorithm until the next call.
    package static func authenticate(
        _ algorithm: DigestAlgorithm, key: Span<UInt8>, message: Span<UInt8>
    ) -> [UInt8] {
        var output: [UInt8] = []
        MACMethod.of(algorithm).authenticate(key: key, message: message, into: &output)
        return output
    }

    /// Appends the HMAC of one message.
    package static func authenticate(
        _ algorithm: DigestAlgorithm, key: Span<UInt8>, message: Span<UInt8>, into output: inout [UInt8]
    ) {
        MACMethod.of(algorithm).authenticate(key: key, message: message, into: &output)
    }
}
