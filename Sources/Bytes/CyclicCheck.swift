/// Cyclic redundancy checks, piece by piece: bits from the lowest, all ones at the start, all flipped at the end.
package struct CyclicCheck: Sendable {
    package enum Kind: Sendable {
        /// zip, Ethernet (ISO 3309).
        case crc32
        /// Castagnoli, iSCSI (RFC 3720).
        case crc32c
        /// NVMe; what S3 prefers.
        case crc64nvme

        /// Bytes of a value.
        package var byteCount: Int { self == .crc64nvme ? 8 : 4 }

        /// The polynomial with its lowest bit first.
        fileprivate var polynomial: UInt64 {
            switch self {
            case .crc32: 0xEDB8_8320
            case .crc32c: 0x82F6_3B78
            case .crc64nvme: 0x9A6C_9329_AC4B_C9B5
            }
        }

        fileprivate var table: [UInt64] {
            switch self {
            case .crc32: CyclicCheck.crc32
            case .crc32c: CyclicCheck.crc32c
            case .crc64nvme: CyclicCheck.crc64nvme
            }
        }
    }

    private static let crc32 = makeTable(.crc32)
    private static let crc32c = makeTable(.crc32c)
    private static let crc64nvme = makeTable(.crc64nvme)

    private static func makeTable(_ kind: Kind) -> [UInt64] {
        (0..<256).map { (byte: UInt64) in
            (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? value >> 1 ^ kind.polynomial : value >> 1 }
        }
    }

    private let kind: Kind
    private var remainder: UInt64

    package init(_ kind: Kind) {
        self.kind = kind
        remainder = .max >> (64 - 8 * UInt64(kind.byteCount))
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        let table = kind.table
        var remainder = remainder
        for index in bytes.indices {
            remainder = remainder >> 8 ^ table[Int(UInt8(truncatingIfNeeded: remainder) ^ bytes[index])]
        }
        self.remainder = remainder
    }

    /// Big endian.
    package var value: [UInt8] {
        (0..<kind.byteCount).map { UInt8(truncatingIfNeeded: ~remainder >> UInt64(8 * (kind.byteCount - 1 - $0))) }
    }
}
