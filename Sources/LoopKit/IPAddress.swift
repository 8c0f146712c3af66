import CLoopShims

/// A literal IPv4 or IPv6 address.
package struct IPAddress: Equatable, Sendable {
    /// In network order; the first `count` (4 or 16) count.
    package private(set) var bytes: SIMD16<UInt8> = .zero
    package private(set) var count: Int = 0

    /// `nil` for anything but a literal (`inet_pton` rules).
    package init?(parsing text: String) {
        var raw = [UInt8](repeating: 0, count: 16)
        count = unsafe Int(gw_parse_address(text, &raw))
        guard count > 0 else { return nil }
        for index in 0..<16 { bytes[index] = raw[index] }
    }

    var array: [UInt8] { (0..<16).map { bytes[$0] } }
}
