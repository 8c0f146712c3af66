package import Cryptography

/// One upstream as the config file describes it, checked. Durations are nanoseconds (`Duration` costs two words and an
/// overflow check per comparison; the loop's clock counts in `UInt64` nanoseconds).
package struct UpstreamPlan: Sendable {
    package enum Scheme: Sendable { case http, https }
    package enum HTTPVersion: Sendable { case http1, http2 }

    /// TLS to this upstream. Verification is on unless the config says `verify: false` (warned at start and in health).
    package struct TLS: Sendable, Equatable {
        package var verify = true
        /// SPKI pins, as curl takes them: `sha256//BASE64`, checked in addition to the chain.
        package var pins: [String] = []
        package var authorityFile: String?
        package var clientCertificate: String?
        package var clientKey: String?
        package init() {}

        /// The server has to prove who it is: by a chain and its name, or by its very key.
        package var isVerified: Bool { verify || !pins.isEmpty }
    }

    package struct Timeouts: Sendable {
        /// Default 3 s: name look-up, TCP and TLS together.
        package var connect: UInt64 = 3_000_000_000
        /// Default 30 s: from the last byte of the request to the end of the answer's head (interim answers do not extend it).
        package var firstByte: UInt64 = 30_000_000_000
        /// Default 30 s: without a byte in either direction; 0 = none.
        package var idle: UInt64 = 30_000_000_000
        /// Default 5 s: wait for a place among the requests in flight.
        package var queue: UInt64 = 5_000_000_000
        /// Whole transfer; 0 = none (default).
        package var total: UInt64 = 0
        package init() {}
    }

    /// A place on the network.
    package struct Address: Sendable, Equatable {
        /// A name, an IPv4 address or a bracketed IPv6 address.
        package var host: String
        package var port: UInt16
        package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }
    }

    package var name: String
    package var scheme: Scheme
    /// Host as it goes into the URL: a name, an IPv4 address or a bracketed IPv6 address.
    package var host: String
    package var port: UInt16
    /// Path of a unix socket; then `host` is only the `Host` field.
    package var unixSocket: String?
    /// Where connections lead instead of `host` and `port`, which are then only the names of the server: for `Host`, SNI and
    /// its certificate.
    package var address: Address?
    /// Prefix of every target, without a trailing slash; empty when the URL has no path.
    package var basePath: [UInt8]
    package var version: HTTPVersion = .http1
    package var timeouts = Timeouts()
    package var tls = TLS()
    /// `http://host:port` or `socks5h://host:port`; `nil` = direct. Never taken from the environment.
    package var proxy: String?
    package var proxyCredentials: Secret?
    /// Most requests in flight at once. Default 128.
    package var maxInFlight = 128
    /// Most requests waiting for a place. Default 1024; above: 503 `overloaded`.
    package var maxQueued = 1024
    /// Idle connections kept in the pool. Default 64; 0: every request has a connection of its own.
    package var maxIdle = 64
    /// Age after which an idle connection is not reused. Default 55 s, below the usual 60 to 75 s of servers (peers 39).
    package var idleAge: UInt64 = 55_000_000_000
    /// Most header lines of one answer. Default 200; above: `bad_answer`.
    package var maxAnswerFields = 200
    /// Most interim (1xx) answers before the final one. Default 16; above: `bad_answer`.
    package var maxInterim = 16

    /// Fields that every request to this upstream carries, logins too; form and JSON fields where the body is one.
    package var attach = AttachPlan()

    /// SHA-256 of each file that `tls` names, as it was when the plan was made.
    package var files: [[UInt8]] = []

    package init(name: String, scheme: Scheme, host: String, port: UInt16, basePath: [UInt8] = []) {
        self.name = name
        self.scheme = scheme
        self.host = host
        self.port = port
        self.basePath = basePath
    }

    /// What the connections, the places on them and what is known of the server belong to: a reload goes on with all three
    /// while this stays the same, and everything else changes under them.
    package var way: UpstreamWay { UpstreamWay(self) }

    /// Most connections that are kept for later: never fewer than the exchanges in flight, or one would be closed at the end of
    /// each of them. 0: none is, every request has its own.
    package var mostConnections: Int { maxIdle == 0 ? 0 : max(maxIdle, maxInFlight) }

    /// Where connections lead, when not through a unix socket or a proxy.
    package var place: Address { address ?? Address(host: host, port: port) }

    /// `Host` field value: the default port of the scheme is left out (RFC 9110 7.2).
    package var authority: String {
        (scheme == .http && port == 80) || (scheme == .https && port == 443) ? host : "\(host):\(port)"
    }
}
