import Bytes
import Cryptography

/// Reads structured fields (RFC 9651) and writes them in their one strict form at the same time.
struct StructuredReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }
    var isAtEnd: Bool { index == bytes.count }
    /// What was not read yet.
    var rest: ArraySlice<UInt8> { bytes[index...] }

    /// The whole text in strict form, read as a list (an item is a list of one) or as a dictionary; `nil`: neither.
    static func strict(_ text: [UInt8]) -> [UInt8]? {
        var reader = StructuredReader(text)
        if let list = reader.list() { return list }
        guard let members = dictionary(text) else { return nil }
        var output: [UInt8] = []
        for member in members {
            if !output.isEmpty { output.append(contentsOf: [0x2C, 0x20]) }
            output.append(contentsOf: member.key)
            // `a` and `a=?1` are the same; the short form is the strict one.
            if member.value.starts(with: [0x3F, 0x31]) {
                output.append(contentsOf: member.value.dropFirst(2))
            } else {
                output.append(0x3D)
                output.append(contentsOf: member.value)
            }
        }
        return output
    }

    /// Members of a dictionary, each value in strict form; `nil` when it is none.
    static func dictionary(_ text: [UInt8]) -> [(key: [UInt8], value: [UInt8])]? {
        var reader = StructuredReader(text)
        return reader.dictionary()
    }

    private mutating func list() -> [UInt8]? {
        var output: [UInt8] = []
        skip { $0 == 0x20 }
        while !isAtEnd {
            if !output.isEmpty { output.append(contentsOf: [0x2C, 0x20]) }
            guard member(into: &output), separator() else { return nil }
        }
        return output
    }

    private mutating func dictionary() -> [(key: [UInt8], value: [UInt8])]? {
        var members: [(key: [UInt8], value: [UInt8])] = []
        skip { $0 == 0x20 }
        while !isAtEnd {
            guard let key = key() else { return nil }
            var value: [UInt8] = []
            if next == 0x3D {
                index += 1
                guard member(into: &value) else { return nil }
            } else {
                value = [0x3F, 0x31]
                guard parameters(into: &value) else { return nil }
            }
            guard separator() else { return nil }
            if let known = members.firstIndex(where: { $0.key == key }) {
                members[known].value = value
            } else {
                members.append((key, value))
            }
        }
        return members
    }

    /// A comma and what follows it, or the end.
    private mutating func separator() -> Bool {
        skip { $0 == 0x20 || $0 == 0x09 }
        if isAtEnd { return true }
        guard next == 0x2C else { return false }
        index += 1
        skip { $0 == 0x20 || $0 == 0x09 }
        return !isAtEnd
    }

    private mutating func member(into output: inout [UInt8]) -> Bool {
        guard next == 0x28 else { return bareItem(into: &output) && parameters(into: &output) }
        index += 1
        output.append(0x28)
        var isFirst = true
        while true {
            skip { $0 == 0x20 }
            guard let byte = next else { return false }
            if byte == 0x29 { break }
            if !isFirst { output.append(0x20) }
            isFirst = false
            guard bareItem(into: &output), parameters(into: &output), next == 0x20 || next == 0x29 else { return false }
        }
        index += 1
        output.append(0x29)
        return parameters(into: &output)
    }

    /// `;a=1;b`, as many as there are.
    mutating func parameters(into output: inout [UInt8]) -> Bool {
        var all: [(key: [UInt8], value: [UInt8])] = []
        while next == 0x3B {
            index += 1
            skip { $0 == 0x20 }
            guard let key = key() else { return false }
            var value: [UInt8] = [0x3F, 0x31]
            if next == 0x3D {
                index += 1
                value = []
                guard bareItem(into: &value) else { return false }
            }
            if let known = all.firstIndex(where: { $0.key == key }) {
                all[known].value = value
            } else {
                all.append((key, value))
            }
        }
        for parameter in all {
            output.append(0x3B)
            output.append(contentsOf: parameter.key)
            if parameter.value != [0x3F, 0x31] {
                output.append(0x3D)
                output.append(contentsOf: parameter.value)
            }
        }
        return true
    }

    private mutating func key() -> [UInt8]? {
        guard let first = next, first == 0x2A || first &- 0x61 < 26 else { return nil }
        let start = index
        skip { $0 &- 0x61 < 26 || ASCII.isDigit($0) || [0x5F, 0x2D, 0x2E, 0x2A].contains($0) }
        return Array(bytes[start..<index])
    }

    private mutating func bareItem(into output: inout [UInt8]) -> Bool {
        guard let first = next else { return false }
        switch first {
        case 0x2D, 0x30...0x39: return number(into: &output)
        case 0x22: return string(into: &output)
        case 0x3A: return bytes(into: &output)
        case 0x3F:
            index += 1
            guard let flag = next, flag == 0x30 || flag == 0x31 else { return false }
            index += 1
            output.append(contentsOf: [0x3F, flag])
            return true
        case 0x40:
            index += 1
            output.append(0x40)
            var digits: [UInt8] = []
            guard number(into: &digits), !digits.contains(0x2E) else { return false }
            output.append(contentsOf: digits)
            return true
        default: return token(into: &output)
        }
    }

    private mutating func token(into output: inout [UInt8]) -> Bool {
        guard let first = next, first == 0x2A || ASCII.isAlpha(first) else { return false }
        let start = index
        skip { byte in
            ASCII.isAlpha(byte) || ASCII.isDigit(byte) || "!#$%&'*+-.^_`|~:/".utf8.contains(byte)
        }
        output.append(contentsOf: bytes[start..<index])
        return true
    }

    private mutating func string(into output: inout [UInt8]) -> Bool {
        let start = index
        index += 1
        while let byte = next {
            index += 1
            switch byte {
            case 0x22:
                output.append(contentsOf: bytes[start..<index])
                return true
            case 0x5C:
                guard let escaped = next, escaped == 0x22 || escaped == 0x5C else { return false }
                index += 1
            case 0x20...0x7E: continue
            default: return false
            }
        }
        return false
    }

    private mutating func bytes(into output: inout [UInt8]) -> Bool {
        index += 1
        let start = index
        skip { $0 != 0x3A }
        let text = bytes[start..<index]
        guard next == 0x3A, let decoded = Base64.decode(text.span, padding: .optional) else { return false }
        index += 1
        output.append(0x3A)
        output.append(contentsOf: Base64.encode(decoded.span))
        output.append(0x3A)
        return true
    }

    /// At most 15 digits, or 12 and 3 behind the point.
    private mutating func number(into output: inout [UInt8]) -> Bool {
        let isNegative = next == 0x2D
        if isNegative { index += 1 }
        let start = index
        skip { ASCII.isDigit($0) }
        let whole = bytes[start..<index]
        guard !whole.isEmpty else { return false }
        var digits = Array(whole.drop { $0 == 0x30 })
        if digits.isEmpty { digits = [0x30] }
        var fraction: [UInt8] = []
        if next == 0x2E {
            index += 1
            let point = index
            skip { ASCII.isDigit($0) }
            fraction = Array(bytes[point..<index])
            guard !fraction.isEmpty, fraction.count <= 3, whole.count <= 12 else { return false }
            while fraction.count > 1, fraction.last == 0x30 { fraction.removeLast() }
        } else if whole.count > 15 {
            return false
        }
        let isZero = digits == [0x30] && fraction.allSatisfy { $0 == 0x30 }
        if isNegative, !isZero || !fraction.isEmpty { output.append(0x2D) }
        output.append(contentsOf: digits)
        if !fraction.isEmpty { output.append(contentsOf: [0x2E] + fraction) }
        return true
    }

    private mutating func skip(_ matches: (UInt8) -> Bool) {
        while index < bytes.count, matches(bytes[index]) { index += 1 }
    }
}
