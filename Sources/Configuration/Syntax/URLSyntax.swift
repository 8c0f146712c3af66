import Bytes
import Domain

/// `http://host[:port][/base]`, strictly: what curl, a resolver and a person read must be the same.
struct URLSyntax {
    var scheme: String
    var authority: Authority
    /// Starts with `/`, or empty; no slash at the end.
    var path: [UInt8]

    /// - Parameter schemes: allowed schemes, lower case.
    static func parse(_ text: String, schemes: [String]) -> Result<URLSyntax, AddressProblem> {
        func refuse(_ text: String, _ hint: String? = nil) -> Result<URLSyntax, AddressProblem> {
            .failure(AddressProblem(text: text, hint: hint))
        }
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: 0x3A), bytes[colon...].starts(with: "://".utf8) else {
            return refuse("not a URL", "like \(schemes.first ?? "http")://host:port")
        }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard schemes.contains(scheme) else {
            return refuse("a URL here starts with \(schemes.map { $0 + "://" }.joined(separator: " or "))")
        }
        let rest = bytes[(colon + 3)...]
        let pathStart = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
        let authorityBytes = rest[..<pathStart]
        // Never repeat the text here: what stands before the @ is a password.
        if authorityBytes.contains(0x40) { return refuse("a URL must hold no user name or password", "use secrets") }
        guard let authority = Authority(parsing: String(decoding: authorityBytes, as: UTF8.self)), authority.port != 0
        else {
            let isForeign = authorityBytes.contains { $0 >= 0x80 }
            return refuse("not a valid host", isForeign ? "write international names as xn--..." : nil)
        }
        var path = rest[pathStart...]
        if path.contains(0x3F) { return refuse("a base URL has no query", "use attach or rewrite") }
        if path.contains(0x23) { return refuse("a base URL has no fragment") }
        if let problem = PathSyntax.problem(of: path) { return refuse(problem) }
        while path.last == 0x2F { path.removeLast() }
        return .success(URLSyntax(scheme: scheme, authority: authority, path: Array(path)))
    }
}
