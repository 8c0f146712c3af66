extension FunctionTable {
    static let base58: [Function] = [
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
