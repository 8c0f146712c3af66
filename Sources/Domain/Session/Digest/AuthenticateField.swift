import Bytes

/// Challenges of `WWW-Authenticate` and the pairs of `Authentication-Info` (RFC 9110 11.6.1, RFC 7616 3.3, 3.5).
enum AuthenticateField {
    struct Challenge {
        /// Lower case; empty for pairs before any scheme.
        var scheme: [UInt8]
        /// Names in lower case, values unquoted.
        var parameters: [(name: [UInt8], value: [UInt8])] = []

        func value(_ name: StaticString) -> [UInt8]? {
            let wanted = name.bytes
            return parameters.first { $0.name == wanted }?.value
        }
    }

    /// Whatever can be read; a malformed rest is ignored, as one scheme must not hide another.
    static func challenges(_ text: ArraySlice<UInt8>) -> [Challenge] {
        var reader = Reader(bytes: text)
        var challenges: [Challenge] = []
        while let name = reader.token() {
            if reader.accept(0x3D) {
                let value = reader.value()
                if challenges.isEmpty { challenges.append(Challenge(scheme: [])) }
                challenges[challenges.count - 1].parameters.append((name, value))
            } else {
                challenges.append(Challenge(scheme: name))
            }
        }
        return challenges
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        /// In lower case; nil at the end.
        mutating func token() -> [UInt8]? {
            bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
            let name = bytes.prefix { $0 > 0x20 && $0 != 0x2C && $0 != 0x3D && $0 != 0x22 && $0 != 0x7F }
            guard !name.isEmpty else { return nil }
            bytes = bytes[name.endIndex...]
            return name.map(ASCII.lower)
        }

        mutating func accept(_ byte: UInt8) -> Bool {
            let rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
            guard rest.first == byte else { return false }
            bytes = rest.dropFirst()
            return true
        }

        mutating func value() -> [UInt8] {
            bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
            guard bytes.first == 0x22 else {
                let value = bytes.prefix { $0 != 0x2C && $0 != 0x20 && $0 != 0x09 }
                bytes = bytes[value.endIndex...]
                return Array(value)
            }
            bytes = bytes.dropFirst()
            var value: [UInt8] = []
            while let byte = bytes.popFirst(), byte != 0x22 {
                if byte == 0x5C, let escaped = bytes.popFirst() { value.append(escaped) } else { value.append(byte) }
            }
            return value
        }
    }
}
