import Bytes
import Cryptography

/// A checksum that travels behind a streamed S3 body.
package enum AWSChecksum: String, Sendable, CaseIterable {
    case crc32, crc32c, sha1, sha256

    /// `x-amz-checksum-crc32c`.
    package var fieldName: [UInt8] { Array("x-amz-checksum-\(rawValue)".utf8) }

    /// Characters of the value in base 64.
    var valueCount: UInt64 {
        switch self {
        case .crc32, .crc32c: 8
        case .sha1: 28
        case .sha256: 44
        }
    }

    /// The reversed polynomial of a cyclic redundancy check.
    private var polynomial: UInt32? {
        switch self {
        case .crc32: 0xEDB8_8320
        case .crc32c: 0x82F6_3B78
        case .sha1, .sha256: nil
        }
    }

    /// Takes bytes piece by piece.
    package struct Running {
        private let kind: AWSChecksum
        private let digest: Digest.Incremental?
        private let table: [UInt32]
        private var remainder: UInt32 = .max

        package init(_ kind: AWSChecksum) {
            self.kind = kind
            switch kind {
            case .sha1: digest = Digest.Incremental(.sha1)
            case .sha256: digest = Digest.Incremental(.sha256)
            case .crc32, .crc32c: digest = nil
            }
            table = kind.polynomial.map(Self.table) ?? []
        }

        private static func table(_ polynomial: UInt32) -> [UInt32] {
            (0..<256).map { (byte: UInt32) in
                (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
            }
        }

        package mutating func update(_ bytes: Span<UInt8>) {
            if let digest { return digest.update(bytes) }
            var remainder = remainder
            for index in bytes.indices {
                remainder = remainder >> 8 ^ table[Int(UInt8(truncatingIfNeeded: remainder) ^ bytes[index])]
            }
            self.remainder = remainder
        }

        /// The value of the field.
        package func text() -> [UInt8] {
            var raw: [UInt8] = []
            if let digest {
                raw = digest.finish()
            } else {
                let value = ~remainder
                for shift: UInt32 in [24, 16, 8, 0] { raw.append(UInt8(truncatingIfNeeded: value >> shift)) }
            }
            return Base64.encode(raw.span)
        }
    }
}
