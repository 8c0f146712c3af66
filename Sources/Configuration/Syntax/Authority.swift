import Bytes

/// `host` or `host:port`, as URLs, `hosts` and origins write it.
struct Authority {
    /// Lower case; IPv6 in brackets.
    var host: String
    var port: UInt16?

    /// `nil` for anything else; empty ports, zones and user information are refused.
    init?(parsing text: String) {
        let bytes = Array(text.utf8)
        var end = bytes.count
        if bytes.first == 0x5B {
            guard let close = bytes.firstIndex(of: 0x5D) else { return nil }
            let inner = String(decoding: bytes[1..<close], as: UTF8.self)
            guard HostSyntax.ipv6(inner) != nil else { return nil }
            end = close + 1
            host = "[" + inner.lowercased() + "]"
        } else {
            end = bytes.firstIndex(of: 0x3A) ?? bytes.count
            host = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
            guard Authority.isHost(host) else { return nil }
        }
        guard end < bytes.count else { return }
        let digits = bytes[(end + 1)...]
        guard bytes[end] == 0x3A, let number = ASCII.decimal(digits.span),
            let port = UInt16(exactly: number)
        else { return nil }
        self.port = port
    }

    /// A name whose last label is all digits would be read as an IPv4 address by some (WHATWG URL 3.5): then it must be one.
    private static func isHost(_ text: String) -> Bool {
        guard HostSyntax.isName(text) else { return false }
        let last = text.split(separator: ".").last ?? ""
        return !last.utf8.allSatisfy(ASCII.isDigit) || HostSyntax.ipv4(text) != nil
    }

    /// IPv4 or IPv6 bytes when the host is a literal address.
    var address: [UInt8]? {
        if host.hasPrefix("[") { return HostSyntax.ipv6(host.dropFirst().dropLast()) }
        return HostSyntax.ipv4(host)
    }

    var isLoopback: Bool { host == "localhost" || (address.map(HostSyntax.isLoopback) ?? false) }
}
