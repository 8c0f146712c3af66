import Bytes

/// Byte classes of names.
enum ASCIIName {
    static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    /// RFC 9110 5.6.2 `tchar`.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        if ASCII.isAlpha(byte) || ASCII.isDigit(byte) { return true }
        switch byte {
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: return true
        default: return false
        }
    }
}
