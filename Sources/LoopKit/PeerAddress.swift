/// Where a connection came from, without an allocation; text only when asked.
package struct PeerAddress: Equatable, Sendable, CustomStringConvertible {
    /// 4, 16 or 0 (unix socket) bytes of `bytes` count.
    package let count: Int
    package let bytes: SIMD16<UInt8>
    package let port: UInt16

    package init(bytes: SIMD16<UInt8>, count: Int, port: UInt16) {
        self.bytes = bytes
        self.count = count
        self.port = port
    }

    package var isUnix: Bool { count == 0 }

    /// 127.0.0.0/8, ::1, and the mapped form of the former.
    package var isLoopback: Bool {
        if count == 4 { return bytes[0] == 127 }
        guard count == 16 else { return false }
        let isMapped = (0..<10).allSatisfy { bytes[$0] == 0 } && bytes[10] == 255 && bytes[11] == 255
        return isMapped ? bytes[12] == 127 : (0..<15).allSatisfy { bytes[$0] == 0 } && bytes[15] == 1
    }

    /// `127.0.0.1:5000`, `[0:0:0:0:0:0:0:1]:5000`, `unix:`.
    package var description: String {
        if count == 0 { return "unix:" }
        if count == 4 { return "\(bytes[0]).\(bytes[1]).\(bytes[2]).\(bytes[3]):\(port)" }
        let groups = (0..<8).map { String(UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1]), radix: 16) }
        return "[" + groups.joined(separator: ":") + "]:\(port)"
    }
}
