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

    package var name: String { rawValue }

    /// Bytes of one digest.
    package var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha224: 28
        case .sha256, .sha512_256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// OpenSSL's name of the function.
    var libraryName: StaticString {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha224: "SHA2-224"
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        case .sha512_256: "SHA2-512/256"
        }
    }

    /// Position in tables with one entry per algorithm.
    var index: Int {
        switch self {
        case .md5: 0
        case .sha1: 1
        case .sha224: 2
        case .sha256: 3
        case .sha384: 4
        case .sha512: 5
        case .sha512_256: 6
        }
    }
}
