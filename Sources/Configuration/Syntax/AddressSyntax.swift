import Domain

/// `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` (both of them), `unix:/path`.
enum AddressSyntax {
    /// Longest path that fits `sockaddr_un`, with its terminator.
    static let longestPath = 107

    static func parse(_ text: String) -> Result<ListenerPlan, AddressProblem> {
        if text.hasPrefix("unix:") { return unix(String(text.dropFirst(5))) }
        guard let colon = text.lastIndex(of: ":"), let authority = Authority(parsing: text) else {
            return .failure(AddressProblem(text: "is not an address", hint: example))
        }
        guard let port = authority.port else {
            let hint = text[colon...].count > 1 ? "the port is a number up to 65535" : example
            return .failure(AddressProblem(text: "has no valid port", hint: hint))
        }
        if authority.host == "localhost" { return .success(.localhost(port: port)) }
        guard authority.address != nil else {
            return .failure(AddressProblem(text: "is not a numeric address", hint: example))
        }
        let host = authority.host.hasPrefix("[") ? String(authority.host.dropFirst().dropLast()) : authority.host
        return .success(.tcp(host: host, port: port))
    }

    private static let example = "like 127.0.0.1:8080, \"[::1]:8080\" or unix:/run/countersign.sock"

    private static func unix(_ path: String) -> Result<ListenerPlan, AddressProblem> {
        guard path.hasPrefix("/") else {
            return .failure(AddressProblem(text: "has no absolute path", hint: nil))
        }
        guard path.utf8.count <= longestPath else {
            return .failure(
                AddressProblem(text: "has a path longer than \(longestPath) bytes", hint: nil))
        }
        return .success(.unix(path: path))
    }

    static func isLoopback(_ listener: ListenerPlan) -> Bool {
        guard case .tcp(let host, _) = listener else { return true }
        return (HostSyntax.ipv4(host) ?? HostSyntax.ipv6(host)).map(HostSyntax.isLoopback) ?? false
    }
}
