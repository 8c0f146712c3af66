import Bytes

/// One cookie as RFC 6265 5.3 stores it.
struct Cookie {
    let name: [UInt8]
    let value: [UInt8]
    /// Lower case.
    let domain: [UInt8]
    /// Goes to that host only, not to hosts below it.
    let isHostOnly: Bool
    let path: [UInt8]
    let isSecure: Bool
    /// Unix seconds; `nil`: as long as the session.
    let expiry: Int64?

    /// Longest pair of name and value that is kept (RFC 6265 6.1 asks for 4096).
    static let longest = 4096

    /// One that was stored before.
    init(
        name: [UInt8], value: [UInt8], domain: [UInt8], path: [UInt8], isHostOnly: Bool, isSecure: Bool, expiry: Int64?
    ) {
        (self.name, self.value, self.domain, self.path) = (name, value, domain, path)
        (self.isHostOnly, self.isSecure, self.expiry) = (isHostOnly, isSecure, expiry)
    }

    /// `requestPath` is without the query.
    /// - Throws: why it is ignored, as RFC 6265 5.2 and 5.3 tell.
    init(
        line: ArraySlice<UInt8>, from site: CookieSite, requestPath: [UInt8], wall: Int64
    ) throws(CookieRefusal) {
        let parts = line.split(separator: 0x3B, omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: 0x3D) else {
            throw CookieRefusal([], "it has no name")
        }
        name = Array(ASCII.trimmed(pair[..<equals]))
        value = Array(ASCII.trimmed(pair[(equals + 1)...]))
        var attributes = CookieAttributes()
        for part in parts.dropFirst() { attributes.read(part) }
        if let seconds = attributes.maxAge {
            expiry = seconds <= 0 ? .min : wall.addingReportingOverflow(seconds).overflow ? .max : wall + seconds
        } else {
            expiry = attributes.expires
        }
        let (name, isDeletion) = (self.name, expiry.map { $0 <= wall } ?? false)
        func refuse(_ why: String) -> CookieRefusal { CookieRefusal(name, why, isDeletion: isDeletion) }
        if let problem = Self.problem(name, value) { throw refuse(problem) }
        if let domain = attributes.domain, !domain.isEmpty {
            // A server may speak for its own domain only; a name without a dot would be a whole top level.
            guard site.matches(domain: domain), domain == site.host || domain.contains(0x2E) else {
                throw refuse("its Domain \(CookieRefusal.text(domain)) is not \(CookieRefusal.text(site.host))")
            }
            self.domain = domain
            isHostOnly = site.isAddress
        } else {
            domain = site.host
            isHostOnly = true
        }
        path = attributes.path ?? Self.defaultPath(requestPath)
        isSecure = attributes.isSecure
        if let problem = problem(at: site) { throw refuse(problem) }
    }

    private static func problem(_ name: [UInt8], _ value: [UInt8]) -> String? {
        if name.isEmpty { return "it has no name" }
        if name.count + value.count > longest { return "it is longer than \(longest) bytes" }
        return (name + value).contains { $0 < 0x20 || $0 == 0x7F } ? "it holds a control character" : nil
    }

    private func problem(at site: CookieSite) -> String? {
        if isSecure, !site.isSecure {
            return "it is Secure, and \(CookieRefusal.text(site.host)) is reached without TLS"
        }
        if name.starts(with: "__Secure-".utf8), !isSecure { return "its name asks for Secure" }
        let isBound = isSecure && isHostOnly && path == [0x2F]
        return name.starts(with: "__Host-".utf8) && !isBound ? "its name asks for Secure, Path=/ and no Domain" : nil
    }

    func isExpired(_ wall: Int64) -> Bool { expiry.map { $0 <= wall } ?? false }

    func isSame(as other: Cookie) -> Bool { name == other.name && domain == other.domain && path == other.path }

    func goes(to site: CookieSite, path requestPath: ArraySlice<UInt8>, wall: Int64) -> Bool {
        guard !isExpired(wall), !isSecure || site.isSecure else { return false }
        guard isHostOnly ? site.host == domain : site.matches(domain: domain) else { return false }
        // RFC 6265 5.1.4
        guard requestPath.starts(with: path) else { return false }
        return requestPath.count == path.count || path.last == 0x2F
            || requestPath[requestPath.startIndex + path.count] == 0x2F
    }

    /// RFC 6265 5.1.4: up to the last slash, without it.
    private static func defaultPath(_ requestPath: [UInt8]) -> [UInt8] {
        guard requestPath.first == 0x2F, let slash = requestPath.lastIndex(of: 0x2F), slash > 0 else { return [0x2F] }
        return Array(requestPath[..<slash])
    }
}

/// RFC 6265 5.2: unknown attributes are skipped, the last of each name holds.
private struct CookieAttributes {
    var domain: [UInt8]?
    var path: [UInt8]?
    var isSecure = false
    var maxAge: Int64?
    var expires: Int64?

    mutating func read(_ part: ArraySlice<UInt8>) {
        let equals = part.firstIndex(of: 0x3D)
        let name = ASCII.trimmed(part[..<(equals ?? part.endIndex)]).map(ASCII.lower)
        let value = equals.map { ASCII.trimmed(part[($0 + 1)...]) } ?? []
        switch String(decoding: name, as: UTF8.self) {
        case "domain": domain = Array((value.first == 0x2E ? value.dropFirst() : value).map(ASCII.lower))
        case "path": path = value.first == 0x2F ? Array(value) : nil
        case "secure": isSecure = true
        case "max-age":
            let digits = value.first == 0x2D ? value.dropFirst() : value
            guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return }
            let number = Int64(clamping: ASCII.decimal(digits.span) ?? .max)
            maxAge = value.first == 0x2D ? -1 : number
        case "expires": if let date = CookieDate.parse(value) { expires = date }
        default: break
        }
    }
}
