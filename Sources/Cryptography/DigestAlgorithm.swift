/// A hash function by name. The raw value is the name in configuration files and metrics.
package enum DigestAlgorithm: String, CaseIterable, Sendable {
    case md5
    case sha1
    case sha224
    case sha256
    case sha384
    case sha512
    /// SHA-512/256 (FIPS 180-4 5.3.6.2): HTTP Digest names it, RFC 7616.
    case sha512_256 = "sha512-256"
    case sha3_224 = "sha3-224"
    case sha3_256 = "sha3-256"
    case sha3_384 = "sha3-384"
    case sha3_512 = "sha3-512"
    /// GB/T 32905.
    case sm3
    /// 64 bytes (RFC 7693).
    case blake2b
    /// 32 bytes.
    case blake2s
    case ripemd160

    package var name: String { rawValue }

    /// Bytes of one digest.
    package var byteCount: Int { facts.byteCount }

    /// OpenSSL's name of the function.
    var libraryName: StaticString { facts.libraryName }

    /// Position in tables with one entry per algorithm.
    var index: Int { facts.index }

    private var facts: (index: Int, byteCount: Int, libraryName: StaticString) {
        switch self {
        case .md5: (0, 16, "MD5")
        case .sha1: (1, 20, "SHA1")
        case .sha224: (2, 28, "SHA2-224")
        case .sha256: (3, 32, "SHA2-256")
        case .sha384: (4, 48, "SHA2-384")
        case .sha512: (5, 64, "SHA2-512")
        case .sha512_256: (6, 32, "SHA2-512/256")
        case .sha3_224: (7, 28, "SHA3-224")
        case .sha3_256: (8, 32, "SHA3-256")
        case .sha3_384: (9, 48, "SHA3-384")
        case .sha3_512: (10, 64, "SHA3-512")
        case .sm3: (11, 32, "SM3")
        case .blake2b: (12, 64, "BLAKE2B-512")
        case .blake2s: (13, 32, "BLAKE2S-256")
        case .ripemd160: (14, 20, "RIPEMD-160")
        }
    }
}
