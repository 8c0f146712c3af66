/// The two spellings of what SM2 encrypts: OpenSSL's SEQUENCE of x, y, check and text, and the same four side by side with
/// 0x04 before them (GB/T 32918.4, "C1C3C2"), which is what everybody else sends.
enum SM2Ciphertext {
    static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        guard let body = DER.read(0x30, der[...])?.content, let x = DER.read(0x02, body),
            let y = DER.read(0x02, x.rest), let check = DER.read(0x04, y.rest), let text = DER.read(0x04, check.rest),
            let first = padded(x.content), let second = padded(y.content)
        else { return nil }
        return [0x04] + first + second + check.content + text.content
    }

    static func der(fromRaw raw: Span<UInt8>) -> [UInt8]? {
        guard raw.count > 97, raw[0] == 0x04 else { return nil }
        func part(_ range: Range<Int>) -> [UInt8] {
            var bytes: [UInt8] = []
            for index in range { bytes.append(raw[index]) }
            return bytes
        }
        return DER.sequence([
            DER.integer(part(1..<33)), DER.integer(part(33..<65)), DER.element(0x04, part(65..<97)),
            DER.element(0x04, part(97..<raw.count)),
        ])
    }

    private static func padded(_ number: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = number.drop { $0 == 0 }
        return digits.count <= 32 ? [UInt8](repeating: 0, count: 32 - digits.count) + digits : nil
    }
}
