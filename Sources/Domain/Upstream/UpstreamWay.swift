import Cryptography

/// Where the connections of an upstream lead, and how they are made.
package struct UpstreamWay: Sendable, Equatable {
    /// The server: whoever has these in common talks to the same one.
    package struct Server: Sendable, Equatable {
        let scheme: UpstreamPlan.Scheme
        let host: String
        let port: UInt16
        let unixSocket: String?
        let address: UpstreamPlan.Address?
    }

    package let server: Server
    private let version: UpstreamPlan.HTTPVersion
    private let tls: UpstreamPlan.TLS
    private let files: [[UInt8]]
    private let proxy: String?
    private let proxyCredentials: Secret?

    init(_ plan: UpstreamPlan) {
        server = Server(
            scheme: plan.scheme, host: plan.host, port: plan.port, unixSocket: plan.unixSocket, address: plan.address)
        version = plan.version
        tls = plan.tls
        files = plan.files
        proxy = plan.proxy
        proxyCredentials = plan.proxyCredentials
    }
}
