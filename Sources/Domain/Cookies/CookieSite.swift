import Bytes

/// Where cookies come from and go to: one upstream as RFC 6265 sees it.
package struct CookieSite: Sendable, Equatable {
    /// Lower case, without port and brackets.
    package let host: [UInt8]
    /// `Secure` cookies may go there: TLS, or this machine itself (as browsers treat localhost).
    package let isSecure: Bool

    package init(host: [UInt8], isSecure: Bool) {
        self.host = host.map(ASCII.lower)
        self.isSecure = isSecure
    }

    package init(_ upstream: UpstreamPlan) {
        let host = upstream.host.hasPrefix("[") ? String(upstream.host.dropFirst().dropLast()) : upstream.host
        let place = upstream.place.host
        let isLocal =
            place == "localhost" || place == "[::1]" || place.hasPrefix("127.") || upstream.unixSocket != nil
        self.init(host: Array(host.utf8), isSecure: upstream.scheme == .https || isLocal)
    }

    /// An IP address has no parent domain (RFC 6265 5.1.3).
    var isAddress: Bool {
        host.contains(0x3A) || host.allSatisfy { ASCII.isDigit($0) || $0 == 0x2E }
    }

    /// RFC 6265 5.1.3.
    func matches(domain: [UInt8]) -> Bool {
        if host == domain { return true }
        guard !isAddress, host.count > domain.count else { return false }
        return host.suffix(domain.count).elementsEqual(domain) && host[host.count - domain.count - 1] == 0x2E
    }
}
