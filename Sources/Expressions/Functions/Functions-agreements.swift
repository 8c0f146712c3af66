import Bytes
import ContentCoding
import Cryptography

/// Compression, shared secrets, numbers modulo another, and rarer digests and encodings.
extension FunctionTable {
    static let rarer: [Function] = compressions + agreements + modular + checksums + [keccak] + base58

    private static let compressions: [Function] = [
        ("gzip", Deflater.Format.gzip, "gzip (RFC 1952), without a time in its head"),
        ("zlib", .zlib, "zlib (RFC 1950), what HTTP calls `deflate`"),
        ("deflate", .bare, "bare deflate (RFC 1951)"),
    ].flatMap { name, format, title -> [Function] in
        [
            Function(
                "\(name).encode(string|bytes) -> bytes", summary: "Compressed: \(title).",
                example: "\(name).decode(\(name).encode('aaaaaaaa')) == b'aaaaaaaa'",
                body: .unary { value throws(EvaluationError) in
                    let bytes = Array(try value.requireContents())
                    do throws(ContentCodingError) {
                        return .bytes(try Deflater.encode(bytes, format)[...])
                    } catch {
                        throw EvaluationError(.tooLarge)
                    }
                }),
            Function(
                "\(name).decode(bytes) -> bytes",
                summary:
                    "Uncompressed: \(title), checked to its end. At most 16 MiB, and beyond 64 KiB 256 bytes for each.",
                example: "\(name).decode(\(name).encode('')) == b''",
                body: .metered { values, meter throws(EvaluationError) in
                    let bytes = Array(try values[0].requireContents())
                    // As much as the steps that are left pay for (`FunctionCosts.inflating`).
                    let limit = min(Function.outputLimit, max(0, meter.steps) * 6)
                    do throws(ContentCodingError) {
                        return .bytes(try Deflater.decode(bytes, format, limit: limit)[...])
                    } catch {
                        if error == .tooLarge {
                            throw EvaluationError(limit < Function.outputLimit ? .budgetExceeded : .tooLarge)
                        }
                        throw .argument("\(name): the bytes are none, or end too early or too late")
                    }
                }),
        ]
    }

    private static let agreements: [Function] = [
        Function(
            "ecdh(string|bytes, string|bytes) -> bytes",
            summary:
                "The secret that a private key and somebody's public key share (x of the point; P-256, P-384, P-521, "
                + "secp256k1). Make a key of it with `hkdf`.",
            example: "ecdh(ec.private('P-256', '02'), ec.private('P-256', '03')) == "
                + "ecdh(ec.private('P-256', '03'), ec.private('P-256', '02'))",
            isPure: false,
            body: .binary { key, peer throws(EvaluationError) in
                let key = try KeyCache.shared.privateKey(try key.requireContents())
                let peer = try anyPublic(peer)
                return .bytes(
                    try reporting { () throws(CryptographyError) in try KeyAgreement.ecdh(key, peer) }[...])
            }),
        Function(
            "x25519(bytes, bytes) -> bytes",
            summary: "The secret that a private and a public X25519 key share (RFC 7748): 32 bytes each.",
            example: "x25519(hash.sha256('a'), x25519.public(hash.sha256('b'))) == "
                + "x25519(hash.sha256('b'), x25519.public(hash.sha256('a')))",
            body: .binary { key, peer throws(EvaluationError) in
                let (key, peer) = (try key.requireContents(), try peer.requireContents())
                return .bytes(
                    try reporting { () throws(CryptographyError) in
                        try KeyAgreement.x25519(key.span, peer.span)
                    }[...])
            }),
        Function(
            "x25519.public(bytes) -> bytes", summary: "The public X25519 key of a private one (any 32 bytes).",
            example: "size(x25519.public(random.bytes(32))) == 32",
            body: .unary { key throws(EvaluationError) in
                let key = try key.requireContents()
                return .bytes(
                    try reporting { () throws(CryptographyError) in try KeyAgreement.x25519Public(of: key.span) }[...])
            }),
    ]

    private static let modular: [Function] = [
        modulo(
            "powmod", .power, "The first to the power of the second", "b'\\x04', b'\\x0d', b'\\x01\\xf1'",
            "b'\\x01\\xbd'"),
        modulo("mulmod", .product, "The product of two numbers", "b'\\x07', b'\\x08', b'\\x0a'", "b'\\x06'"),
        modulo("addmod", .sum, "The sum of two numbers", "b'\\x07', b'\\x08', b'\\x0a'", "b'\\x05'"),
        modulo("submod", .difference, "The first number less the second", "b'\\x07', b'\\x08', b'\\x0a'", "b'\\x09'"),
    ]

    private static func modulo(
        _ name: String, _ operation: ModularNumber.Operation, _ summary: String, _ numbers: String, _ result: String
    ) -> Function {
        Function(
            "bigint.\(name)(bytes, bytes, bytes) -> bytes",
            summary:
                "\(summary), modulo the last (SRP, Diffie-Hellman): each as bytes, the first one the most significant, "
                + "at most \(ModularNumber.mostBytes); as many bytes as the last one has.",
            example: "bigint.\(name)(\(numbers)) == \(result)",
            body: .metered { values, meter throws(EvaluationError) in
                let (a, b) = (try values[0].requireContents(), try values[1].requireContents())
                let modulus = try values[2].requireContents()
                if operation == .power, modulus.count <= ModularNumber.mostBytes, b.count <= ModularNumber.mostBytes {
                    // About 30 ms for 512 bytes each.
                    try meter.charge(modulus.count * modulus.count * b.count / 150)
                }
                guard let result = ModularNumber.compute(operation, a.span, b.span, modulo: modulus.span) else {
                    throw .argument("numbers of at most \(ModularNumber.mostBytes) bytes, and a modulus that is not 0")
                }
                return .bytes(result[...])
            })
    }

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

    private static let base58: [Function] = [
        Function(
            "base58.encode(string|bytes) -> string", summary: "Base 58 as Bitcoin writes it; at most 512 bytes.",
            example: "base58.encode('Hello World!') == '2NEpo7TZRRrLZSi2U'",
            body: .unary { value throws(EvaluationError) in
                let bytes = try value.requireContents()
                guard bytes.count <= 512 else { throw EvaluationError(.tooLarge) }
                return .text(Base58.encode(bytes))
            }),
        Function(
            "base58.decode(string) -> bytes", summary: "Bytes of base 58; at most 700 characters.",
            example: "base58.decode('2NEpo7TZRRrLZSi2U') == b'Hello World!'",
            body: .unary { value throws(EvaluationError) in
                let text = try value.requireString()
                guard text.count <= 700 else { throw EvaluationError(.tooLarge) }
                guard let bytes = Base58.decode(text) else {
                    throw .argument("base 58: letters and digits without 0, O, I and l")
                }
                return .bytes(bytes[...])
            }),
    ]
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

/// A number in base 58, most significant digit first; zeros in front stay, each as `1`.
enum Base58 {
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    static func encode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let zeros = bytes.prefix { $0 == 0 }.count
        let digits = converted(bytes.dropFirst(zeros), from: 256, to: 58)
        return [UInt8](repeating: alphabet[0], count: zeros) + digits.map { alphabet[Int($0)] }
    }

    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var digits: [UInt8] = []
        for letter in text {
            guard let digit = alphabet.firstIndex(of: letter) else { return nil }
            digits.append(UInt8(digit))
        }
        let zeros = digits.prefix { $0 == 0 }.count
        return [UInt8](repeating: 0, count: zeros) + converted(digits[zeros...], from: 58, to: 256)
    }

    private static func converted(_ digits: ArraySlice<UInt8>, from: Int, to base: Int) -> [UInt8] {
        // The least significant first.
        var output: [UInt8] = []
        for digit in digits {
            var carry = Int(digit)
            for index in output.indices {
                carry += Int(output[index]) * from
                output[index] = UInt8(carry % base)
                carry /= base
            }
            while carry > 0 {
                output.append(UInt8(carry % base))
                carry /= base
            }
        }
        return output.reversed()
    }
}
