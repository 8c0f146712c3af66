import Bytes

/// Host names and addresses, checked without a resolver.
enum HostSyntax {
    /// Dotted name of letters, digits, `-` and `_` (RFC 1123 2.1; underscores exist in practice). ASCII only: names with
    /// other letters are written as punycode.
    static func isName(_ text: some StringProtocol) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253 else { return false }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { ASCII.isAlpha($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F }
        }
    }

    /// Four decimal bytes, without leading zeros (`010` is 8 to some and 10 to others).
    static func ipv4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard part.utf8.allSatisfy(ASCII.isDigit), part.utf8.count == 1 || part.utf8.first != 0x30,
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Sixteen bytes (RFC 4291 2.2); no zone.
    static func ipv6(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count <= 45 else { return nil }
        let halves = splitAtDoubleColon(String(text))
        guard let head = groups(halves.head) else { return nil }
        guard let rest = halves.tail else { return head.count == 16 ? head : nil }
        guard let tail = groups(rest), head.count + tail.count <= 14 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    static func isLoopback(_ address: [UInt8]) -> Bool {
        if address.count == 4 { return address[0] == 127 }
        guard address.count == 16 else { return false }
        let isMapped = address[..<10].allSatisfy { $0 == 0 } && address[10] == 0xFF && address[11] == 0xFF
        return isMapped ? address[12] == 127 : address[..<15].allSatisfy { $0 == 0 } && address[15] == 1
    }

    private static func splitAtDoubleColon(_ text: String) -> (head: String, tail: String?) {
        let bytes = Array(text.utf8)
        for index in bytes.indices.dropLast() where bytes[index] == 0x3A && bytes[index + 1] == 0x3A {
            let head = String(decoding: bytes[..<index], as: UTF8.self)
            return (head, String(decoding: bytes[(index + 2)...], as: UTF8.self))
        }
        return (text, nil)
    }

    private static func groups(_ text: String) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains("."), let tail = ipv4(part) {
                bytes += tail
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ ASCII.hexValue($0) != nil }),
                let value = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
        }
        return bytes.count <= 16 ? bytes : nil
    }
}
