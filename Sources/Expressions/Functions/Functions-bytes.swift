import Bytes

/// Bytes as numbers and as bits, and checksums.
extension FunctionTable {
    static let byteStrings: [Function] = [
        check("crc32", "zip, Ethernet", .crc32, "cbf43926"), check("crc32c", "Castagnoli", .crc32c, "e3069283"),
        check("crc64nvme", "NVMe, S3", .crc64nvme, "ae8b14860a799888"),
        Function(
            "bytes.toInt(bytes) -> int",
            summary: "The number that at most 8 bytes make, the first one the most significant; of 8, as a signed one.",
            example: "bytes.toInt(hash.crc32('123456789')) == 3421780262",
            body: .unary { value throws(EvaluationError) in
                let bytes = try value.requireContents()
                guard !bytes.isEmpty, bytes.count <= 8 else { throw .argument("1 to 8 bytes") }
                return .int(Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
            }),
        Function(
            "bytes.ofInt(int, int) -> bytes",
            summary:
                "A number as so many bytes (1 to 8), the first one the most significant; its lowest bits when it is "
                + "longer.",
            example: "bytes.ofInt(258, 4) == b'\\x00\\x00\\x01\\x02'",
            body: .binary { number, count throws(EvaluationError) in
                let (number, count) = (Int64(try number.requireInt()), try count.requireInt())
                guard 1...8 ~= count else { throw .argument("1 to 8 bytes") }
                return .bytes(
                    ArraySlice((0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }))
            }),
        Function(
            "bytes.toList(string|bytes) -> list", summary: "The bytes as numbers from 0 to 255.",
            example: "bytes.toList('AB') == [65, 66]",
            body: .unary { value throws(EvaluationError) in
                let bytes = try value.requireContents()
                guard bytes.count <= 65_536 else { throw EvaluationError(.tooLarge) }
                return .list(bytes.map { .int(Int64($0)) })
            }),
        Function(
            "bytes.ofList(list) -> bytes", summary: "Bytes of numbers from 0 to 255.",
            example: "bytes.ofList([65, 66]) == b'AB'",
            body: .unary { list throws(EvaluationError) in
                var output: [UInt8] = []
                for element in try list.requireList() {
                    guard let byte = UInt8(exactly: try element.requireInt()) else { throw .argument("a byte") }
                    output.append(byte)
                }
                return .bytes(output[...])
            }),
        Function(
            "bytes.xor(string|bytes, string|bytes) -> bytes",
            summary: "Each byte of the first xor the one of the second, which is repeated as often as needed.",
            example: "bytes.xor('AB', b'\\x20') == b'ab'",
            body: .binary { first, second throws(EvaluationError) in
                let (text, key) = (try first.requireContents(), Array(try second.requireContents()))
                guard !key.isEmpty else { throw .argument("an empty key") }
                return .bytes(ArraySlice(text.enumerated().map { $1 ^ key[$0 % key.count] }))
            }),
        Function(
            "bytes.reverse(string|bytes) -> bytes", summary: "The bytes in reverse order (the other endianness).",
            example: "bytes.reverse(b'abc') == b'cba'",
            body: .unary { value throws(EvaluationError) in .bytes(ArraySlice(try value.requireContents().reversed())) }
        ),
        Function(
            "base32.encode(string|bytes) -> string", summary: "Base 32 (RFC 4648), upper case, with padding.",
            example: "base32.encode('foob') == 'MZXW6YQ='",
            body: .unary { value throws(EvaluationError) in .text(Base32.encode(try value.requireContents())) }),
        Function(
            "base32.decode(string) -> bytes",
            summary: "Bytes of base 32 in either case, with or without padding, blanks and dashes.",
            example: "base32.decode('mzxw 6yq') == b'foob'",
            body: .unary { value throws(EvaluationError) in
                guard let bytes = Base32.decode(try value.requireString()) else {
                    throw .argument("base 32: letters, and the digits 2 to 7")
                }
                return .bytes(bytes[...])
            }),
    ]

    private static func check(_ name: String, _ use: String, _ kind: CyclicCheck.Kind, _ value: String) -> Function {
        Function(
            "hash.\(name)(string|bytes) -> bytes",
            summary: "Checksum \(name) (\(use)): \(kind.byteCount) bytes, big endian. No protection against anybody.",
            example: "hex.encode(hash.\(name)('123456789')) == '\(value)'",
            body: .unary { value throws(EvaluationError) in
                let bytes = try value.requireContents()
                var check = CyclicCheck(kind)
                check.update(bytes.span)
                return .bytes(check.value[...])
            })
    }
}

/// RFC 4648 6.
enum Base32 {
    static func encode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var (output, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xFFFF
            count += 8
            while count >= 5 {
                count -= 5
                output.append(alphabet[Int(bits >> count & 31)])
            }
        }
        if count > 0 { output.append(alphabet[Int(bits << (5 - count) & 31)]) }
        while output.count % 8 != 0 { output.append(UInt8(ascii: "=")) }
        return output
    }

    /// As providers show secrets: any case, blanks, dashes and padding; `nil` for any other byte.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var (output, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        for byte in text where byte != 0x20 && byte != 0x2D && byte != 0x3D {
            let digit: UInt8
            switch byte {
            case 0x41...0x5A: digit = byte - 0x41
            case 0x61...0x7A: digit = byte - 0x61
            case 0x32...0x37: digit = byte - 0x32 + 26
            default: return nil
            }
            bits = (bits << 5 | UInt32(digit)) & 0xFFFF
            count += 5
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return output
    }
}
