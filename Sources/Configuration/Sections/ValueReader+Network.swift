import Bytes
import Domain
import HTTPWire

extension ValueReader where Value == ListenerPlan {
    static var address: ValueReader {
        ValueReader(.text("address")) { cursor in
            guard let text = ValueReader<String>.text("an address").read(cursor) else { return nil }
            switch AddressSyntax.parse(text) {
            case .success(let address): return address
            case .failure(let problem):
                cursor.report("\(Quoted.text(text)) \(problem.text)", hint: problem.hint)
                return nil
            }
        }
    }
}

extension ValueReader where Value == URLSyntax {
    static func url(_ schemes: [String]) -> ValueReader {
        ValueReader(.text("URL")) { cursor in
            guard let text = ValueReader<String>.text("a URL").read(cursor) else { return nil }
            switch URLSyntax.parse(text, schemes: schemes) {
            case .success(let url): return url
            case .failure(let problem):
                cursor.report(problem.text, hint: problem.hint)
                return nil
            }
        }
    }
}

extension ValueReader where Value == Authority {
    /// Where connections lead.
    static var connectAddress: ValueReader {
        ValueReader(.text("host")) { cursor in
            guard let written = ValueReader<String>.text("a host").read(cursor) else { return nil }
            if let authority = Authority(parsing: written), authority.port != 0 { return authority }
            cursor.report(
                "\(Quoted.text(written)) is not an address",
                hint: "like 192.0.2.7, device.lan:8443 or \"[2001:db8::7]\"")
            return nil
        }
    }
}

extension ValueReader where Value == String {
    /// As an address of the system has room for it.
    static var socketPath: ValueReader {
        ValueReader(.text("absolute path")) { cursor in
            guard let path = text("a path").read(cursor) else { return nil }
            if !path.hasPrefix("/") {
                cursor.report("the path must be absolute")
            } else if path.utf8.count > AddressSyntax.longestPath {
                cursor.report("the path is longer than \(AddressSyntax.longestPath) bytes")
            } else {
                return path
            }
            return nil
        }
    }

    /// A path as a request target has it, with a query if need be.
    static var requestPath: ValueReader {
        ValueReader(.text("path")) { cursor in
            guard let path = text("a path").read(cursor) else { return nil }
            let bytes = Array(path.utf8)
            let end = bytes.firstIndex(of: 0x3F) ?? bytes.count
            if bytes.first != 0x2F {
                cursor.report("a path starts with /")
            } else if bytes.contains(0x23) {
                cursor.report("a path has no fragment")
            } else if let problem = PathSyntax.problem(of: bytes[..<end]) {
                cursor.report(problem)
            } else if bytes[end...].contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
                cursor.report("a query holds visible ASCII only", hint: "write other characters as %XX")
            } else {
                return path
            }
            return nil
        }
    }

    /// `name` or `name:port`, lower case.
    static var hostRule: ValueReader {
        ValueReader(.text("host name")) { cursor in
            guard let written = text("a host name").read(cursor) else { return nil }
            if let authority = Authority(parsing: written), authority.port != 0 {
                return authority.port.map { "\(authority.host):\($0)" } ?? authority.host
            }
            let hint = written.contains("*") ? "wildcards would let any name in: write each one" : "name or name:port"
            cursor.report("\(Quoted.text(written)) is not a host name", hint: hint)
            return nil
        }
    }

    /// `https://app.example`, lower case, without the scheme's own port (RFC 6454 6.2).
    static var origin: ValueReader {
        ValueReader(.text("origin")) { cursor in
            guard let written = text("an origin").read(cursor) else { return nil }
            if written == "*" || written == "null" {
                cursor.report(
                    "\(Quoted.text(written)) would let any web page use your sessions", hint: "write each origin")
                return nil
            }
            guard case .success(let url) = URLSyntax.parse(written, schemes: ["https", "http"]), url.path.isEmpty,
                !written.hasSuffix("/")
            else {
                cursor.report("not an origin", hint: "like https://app.example or http://localhost:3000")
                return nil
            }
            let ownPort: UInt16 = url.scheme == "https" ? 443 : 80
            let port = url.authority.port.flatMap { $0 == ownPort ? nil : ":\($0)" } ?? ""
            return "\(url.scheme)://\(url.authority.host)\(port)"
        }
    }

    /// `sha256//` and 32 bytes in base 64.
    static var pin: ValueReader {
        ValueReader(.text("pin")) { cursor in
            guard let written = text("a pin").read(cursor) else { return nil }
            let digits = Array(written.utf8.dropFirst(8))
            // 32 bytes are 43 digits and one "=".
            let isValid =
                written.hasPrefix("sha256//") && digits.count == 44 && digits.last == 0x3D
                && digits.dropLast().allSatisfy {
                    ASCII.isAlpha($0) || ASCII.isDigit($0) || $0 == 0x2B || $0 == 0x2F
                }
            if isValid { return written }
            cursor.report("not a pin", hint: "sha256// and the base64 of the public key's SHA-256")
            return nil
        }
    }

}

extension ValueReader where Value == RequestMethod {
    /// A method that is forwarded: a common one, or an extension, which is any token (RFC 9110 9.1).
    static var method: ValueReader {
        let type = ValueType.either(.choice(RequestMethod.common.map(\.name)), .text("another method"))
        return ValueReader(type, render: { $0.name }) { cursor in
            guard let written = cursor.scalar(expected: type)?.text else { return nil }
            let known = RequestMethod.known
            guard let method = RequestMethod(written), !known.contains(written.uppercased()) || known.contains(written)
            else {
                let upper = written.uppercased()
                let hint = known.contains(upper) ? "did you mean \(upper)?" : "like \(RequestMethod.allow), PROPFIND"
                cursor.report("\(Quoted.text(written)) is not a method that is forwarded", hint: hint)
                return nil
            }
            if case .other = method, !known.contains(written), let near = Suggestion.nearest(to: written, among: known)
            {
                cursor.report(
                    "\(Quoted.text(written)) is no registered method", hint: "did you mean \(near)?", severity: .warning
                )
            }
            return method
        }
    }
}
