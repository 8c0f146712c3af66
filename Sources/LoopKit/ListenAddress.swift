import CLoopShims

/// Where a listener is bound.
package enum ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// A literal address (names are not resolved; `localhost` is 127.0.0.1) and a port; 0 lets the kernel choose.
    case tcp(host: String, port: UInt16)
    /// A file that will be made with mode 0600.
    case unix(path: String)

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `unix:/path`; `nil` for anything else. A bare port is
    /// refused: it would have to mean "all interfaces", which nobody should get by accident.
    package init?(parsing text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty, path.utf8.count < 108, !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.utf8.lastIndex(of: 0x3A) else { return nil }
        let digits = text[text.utf8.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = UInt16(digits) else {
            return nil
        }
        var host = String(text[..<colon])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = String(host.dropFirst().dropLast()) }
        if host == "localhost", !isBracketed { host = "127.0.0.1" }
        guard let address = IPAddress(parsing: host), isBracketed == (address.count == 16) else { return nil }
        self = .tcp(host: host, port: port)
    }

    /// Nobody on another host can reach it.
    package var isLoopback: Bool {
        guard case .tcp(let host, _) = self else { return true }
        guard let address = IPAddress(parsing: host) else { return false }
        let last = [UInt8](repeating: 0, count: 15) + [1]
        return address.count == 4 ? address.bytes[0] == 127 : address.array == last
    }

    package var description: String {
        switch self {
        case .tcp(let host, let port): host.utf8.contains(0x3A) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
