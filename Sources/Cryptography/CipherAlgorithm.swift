/// A cipher with a shared key.
package struct CipherAlgorithm: Hashable, Sendable {
    package enum Family: Int, Sendable, CaseIterable {
        /// Keys of 16, 24 or 32 bytes.
        case aes
        /// Triple DES with keys of 16 or 24 bytes; a key of 8 bytes is plain DES.
        case des
        /// GB/T 32907, keys of 16 bytes.
        case sm4
        /// RFC 8439, keys of 32 bytes; only with authentication.
        case chacha20
    }

    package enum Mode: Int, Sendable, CaseIterable {
        case ecb, cbc, ctr
        /// Feedback of whole blocks (CFB128, for DES CFB64).
        case cfb
        case ofb
        /// With authentication: GCM for AES, Poly1305 for ChaCha20. The tag has 16 bytes and stands at the end.
        case authenticated
    }

    package let family: Family
    package let mode: Mode

    package init(_ family: Family, _ mode: Mode) {
        self.family = family
        self.mode = mode
    }

    /// Bytes of a block; what a padded text is a multiple of.
    package var blockBytes: Int { family == .des ? 8 : 16 }

    /// The text fills whole blocks.
    package var isPadded: Bool { mode == .ecb || mode == .cbc }

    /// Counts that a key may have.
    package var keyBytes: [Int] {
        switch family {
        case .aes: [16, 24, 32]
        case .des: [8, 16, 24]
        case .sm4: [16]
        case .chacha20: [32]
        }
    }

    /// Bytes of the initial vector; `nil`: any number but none (GCM).
    package var vectorBytes: Int? {
        switch mode {
        case .ecb: 0
        case .cbc, .ctr, .cfb, .ofb: blockBytes
        case .authenticated: family == .chacha20 ? 12 : nil
        }
    }

    /// OpenSSL's name for a key of this size.
    func libraryName(keyBytes: Int) -> String {
        let mode =
            switch mode {
            case .ecb: "ECB"
            case .cbc: "CBC"
            case .ctr: "CTR"
            case .cfb: "CFB"
            case .ofb: "OFB"
            case .authenticated: "GCM"
            }
        return switch family {
        case .aes: "AES-\(keyBytes * 8)-\(mode)"
        case .des: "DES-EDE3-\(mode)"
        case .sm4: "SM4-\(mode)"
        case .chacha20: "ChaCha20-Poly1305"
        }
    }
}
