import Bytes
import Cryptography

/// Checksums of devices and archives, and a digest that is rarer than those of `hash`.
extension FunctionTable {
    static let rareDigests: [Function] = checksums + [keccak]

    private static let checksums: [Function] =
        [
            ("crc16arc", ShortCheck(polynomial: 0xA001, initial: 0, isReflected: true), "ARC, IBM", "bb3d"),
            ("crc16modbus", ShortCheck(polynomial: 0xA001, initial: 0xFFFF, isReflected: true), "Modbus", "4b37"),
            ("crc16xmodem", ShortCheck(polynomial: 0x1021, initial: 0, isReflected: false), "XMODEM", "31c3"),
            (
                "crc16ccitt", ShortCheck(polynomial: 0x1021, initial: 0xFFFF, isReflected: false),
                "CCITT-FALSE, EMV codes", "29b1"
            ),
        ].map { name, check, use, value in
            Function(
                "hash.\(name)(string|bytes) -> bytes",
                summary: "Checksum CRC-16 (\(use)): 2 bytes, big endian. No protection against anybody.",
                example: "hex.encode(hash.\(name)('123456789')) == '\(value)'",
                body: .unary { value throws(EvaluationError) in
                    .bytes(check.value(of: try value.requireContents())[...])
                })
        } + [
            Function(
                "hash.adler32(string|bytes) -> bytes",
                summary: "Checksum Adler-32 (zlib, RFC 1950): 4 bytes, big endian. No protection against anybody.",
                example: "hex.encode(hash.adler32('123456789')) == '091e01de'",
                body: .unary { value throws(EvaluationError) in
                    var (a, b): (UInt32, UInt32) = (1, 0)
                    for byte in try value.requireContents() {
                        a = (a + UInt32(byte)) % 65_521
                        b = (b + a) % 65_521
                    }
                    return .bytes(
                        ArraySlice([b >> 8, b, a >> 8, a].map { UInt8(truncatingIfNeeded: $0) }))
                })
        ]

    private static let keccak = Function(
        "hash.keccak256(string|bytes) -> bytes", summary: "Keccak-256, the digest of Ethereum (not SHA3-256).",
        example: "hex.encode(hash.keccak256('')).startsWith('c5d2460186f7233c')",
        body: .unary { value throws(EvaluationError) in
            let bytes = try value.requireContents()
            return .bytes(Keccak.hash256(bytes.span)[...])
        })
}

/// A check of 16 bits.
struct ShortCheck: Sendable {
    /// With its lowest bit first where bits come from the lowest.
    var polynomial: UInt16
    var initial: UInt16
    var isReflected: Bool

    func value(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        var value = initial
        for byte in bytes {
            value ^= isReflected ? UInt16(byte) : UInt16(byte) << 8
            for _ in 0..<8 {
                if isReflected {
                    value = value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1
                } else {
                    value = value & 0x8000 != 0 ? value << 1 ^ polynomial : value << 1
                }
            }
        }
        return [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}
