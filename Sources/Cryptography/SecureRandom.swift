import Bytes
import COpenSSL

/// Unpredictable bytes (OpenSSL's generator, seeded by the kernel). A generator that fails stops the process: there is no
/// safe answer, and no peer can cause it.
package enum SecureRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let done = unsafe RAND_bytes(buffer.baseAddress, Int32(clamping: count))
            precondition(done == 1 && count <= Int(Int32.max), "no random bytes")
            initialized = count
        }
    }

    package static func uint64() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A random UUID as text, 36 lower-case bytes (RFC 9562 version 4).
    package static func uuid4() -> [UInt8] {
        var raw = bytes(16)
        raw[6] = raw[6] & 0x0F | 0x40
        raw[8] = raw[8] & 0x3F | 0x80
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in raw.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(0x2D) }
            text.append(Hex.lowerDigit(byte >> 4))
            text.append(Hex.lowerDigit(byte & 15))
        }
        return text
    }

    /// `count` random bytes as `2 * count` lower-case hexadecimal digits.
    package static func hex(_ count: Int) -> [UInt8] { Hex.encode(bytes(count).span) }
}
