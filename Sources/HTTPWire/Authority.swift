import Bytes

/// `host [":" port]` of RFC 3986 3.2, strict: a registered name of letters, digits, `-`, `.` and `_`, an IPv4 address, or
/// a bracketed IPv6 address; no user information, no escapes, no empty label, no empty port.
package struct Authority: Sendable, Equatable {
    /// Offsets of the host (with brackets) in the bytes given.
    package let host: Range<Int>
    /// `nil` when absent.
    package let port: UInt16?

    /// `nil` when the bytes are no such authority.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count > 0, bytes.count <= 300 else { return nil }
        let end = bytes[0] == 0x5B ? Self.endOfAddress(bytes) : Self.endOfName(bytes)
        guard let end else { return nil }
        host = 0..<end
        guard end < bytes.count else {
            port = nil
            return
        }
        guard bytes[end] == ByteClass.colon, bytes.count - end <= 6,
            let number = ASCII.decimal(bytes.extracting(end + 1..<bytes.count)), let port = UInt16(exactly: number)
        else { return nil }
        self.port = port
    }

    /// Index behind the `]`.
    private static func endOfAddress(_ bytes: Span<UInt8>) -> Int? {
        var index = 1
        var colons = 0
        while index < bytes.count, bytes[index] != 0x5D {
            let byte = bytes[index]
            guard ASCII.hexValue(byte) != nil || byte == ByteClass.colon || byte == 0x2E else { return nil }
            if byte == ByteClass.colon { colons += 1 }
            index += 1
        }
        guard index < bytes.count, colons >= 2, colons <= 8, index <= 46 else { return nil }
        return index + 1
    }

    /// Index behind the name: the end, or the colon before the port. One dot at the end is part of the name.
    private static func endOfName(_ bytes: Span<UInt8>) -> Int? {
        var index = 0
        var labelStart = 0
        while index < bytes.count, bytes[index] != ByteClass.colon {
            let byte = bytes[index]
            if byte == 0x2E {
                guard index > labelStart, index - labelStart <= 63 else { return nil }
                labelStart = index + 1
            } else if !ASCII.isAlpha(byte), !ASCII.isDigit(byte), byte != 0x2D, byte != 0x5F {
                return nil
            }
            index += 1
        }
        guard index > 0, index - labelStart <= 63, index <= 254 else { return nil }
        return index
    }
}
