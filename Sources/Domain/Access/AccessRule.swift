package import Bytes
package import HTTPWire

/// Who may call a listener, as far as the request tells. Any page that a user opens can send requests to localhost, so
/// whatever a browser sends is refused unless it comes from this gateway's own pages or from a listed origin
/// (reliability 3.1). The `Host` allow-list (`HostRule`) is checked before; without it `Origin` proves nothing.
package struct AccessRule: Sendable {
    package enum Caller: Sendable, Equatable {
        /// No `Origin`, no `Sec-Fetch-*` and no `Referer` of a page: not a browser.
        case program
        /// A page of this gateway, or an address that the user typed.
        case ownPage
        /// A listed origin, as written in the request.
        case listedOrigin(ArraySlice<UInt8>)
    }

    private static let origin = Array("origin".utf8)
    private static let referer = Array("referer".utf8)
    private static let fetchPrefix = Array("sec-fetch-".utf8)
    private static let fetchSite = Array("sec-fetch-site".utf8)
    private static let scheme = Array("http://".utf8)
    private let origins: [[UInt8]]
    private let takesOrigins: Bool

    package init(plan: AccessPlan) {
        origins = plan.origins.map { Array($0.utf8) }
        takesOrigins = true
    }

    private init() {
        origins = []
        takesOrigins = false
    }

    /// For the admin listener: it has no page that could send an `Origin`, and an app that may call the main listeners must not
    /// act as an operator. An address that the user typed still shows.
    package static let admin = AccessRule()

    /// `authority`: the `Host` value, already allowed.
    /// - Throws: `forbidden`, with the reason in `detail`.
    @discardableResult
    package func check(
        _ head: RequestHead, authority: ArraySlice<UInt8>?
    ) throws(GatewayError) -> Caller {
        try check(head.fields, authority: authority)
    }

    @discardableResult
    package func check(
        _ fields: PairBlock, authority: ArraySlice<UInt8>?
    ) throws(GatewayError) -> Caller {
        var origin: ArraySlice<UInt8>?
        var site: ArraySlice<UInt8>?
        var hasMetadata = false
        var page: ArraySlice<UInt8>?
        for index in 0..<fields.count {
            let name = fields.name(at: index)
            let start = name.prefix(10)
            if name.count == 6, ASCII.equalFolded(name.span, Self.origin.span) {
                guard origin == nil else { throw refused("more than one Origin") }
                origin = fields.value(at: index)
            } else if name.count == 7, ASCII.equalFolded(name.span, Self.referer.span) {
                guard page == nil else { throw refused("more than one Referer") }
                page = fields.value(at: index)
            } else if name.count > 10, ASCII.equalFolded(start.span, Self.fetchPrefix.span) {
                hasMetadata = true
                guard ASCII.equalFolded(name.span, Self.fetchSite.span) else { continue }
                guard site == nil else { throw refused("more than one Sec-Fetch-Site") }
                site = fields.value(at: index)
            }
        }
        if let origin {
            guard takesOrigins else { throw refused("the admin listener takes no origin") }
            if isListed(origin) { return .listedOrigin(origin) }
            guard isOwn(origin, authority) else { throw refused("a page of another origin") }
            guard site.map(isOwn(site:)) ?? true else { throw refused("a page of another site") }
            return .ownPage
        }
        guard hasMetadata else { return try caller(of: page.flatMap { Self.origin(ofPage: $0) }, authority) }
        // `img` and `script` send no Origin; another port on localhost is "same-site".
        guard let site, isOwn(site: site) else { throw refused("a page of another site") }
        return .ownPage
    }

    /// Safari before 16.4, and pages that a browser does not trust, send no `Sec-Fetch-*`; an image or a form that is a GET has
    /// no `Origin` either. The page that asked is then told by `Referer` alone.
    private func caller(
        of page: ArraySlice<UInt8>?, _ authority: ArraySlice<UInt8>?
    ) throws(GatewayError) -> Caller {
        guard let page else { return .program }
        if isListed(page) { return .listedOrigin(page) }
        guard isOwn(page, authority) else { throw refused("Referer is a page of another origin") }
        return .ownPage
    }

    /// Scheme and authority of a `Referer`; `nil` where it names no page (`about:blank`, a path of the same host, RFC 9110
    /// 10.1.3). What looks like a URL and is none has an origin that nobody lists.
    private static func origin(ofPage referer: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = referer.firstIndex(of: 0x3A), referer[colon...].starts(with: [0x3A, 0x2F, 0x2F]),
            !referer[..<colon].contains(where: { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 })
        else { return nil }
        let end = referer[(colon + 3)...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 || $0 == 0x5C }
        return referer[..<(end ?? referer.endIndex)]
    }

    /// Whether the config lists this origin.
    package func isListed(_ origin: ArraySlice<UInt8>) -> Bool {
        for listed in origins where ASCII.equalFolded(listed.span, origin.span) { return true }
        return false
    }

    /// `null` (sandboxed frames, redirects, files) is no origin of ours.
    private func isOwn(_ origin: ArraySlice<UInt8>, _ authority: ArraySlice<UInt8>?) -> Bool {
        guard let authority, !authority.isEmpty, origin.count > 7 else { return false }
        let scheme = origin.prefix(7)
        guard ASCII.equalFolded(scheme.span, Self.scheme.span) else { return false }
        let (page, own) = (Self.withoutDefaultPort(origin.dropFirst(7)), Self.withoutDefaultPort(authority))
        return ASCII.equalFolded(page.span, own.span)
    }

    private func isOwn(site: ArraySlice<UInt8>) -> Bool {
        site.elementsEqual("same-origin".utf8) || site.elementsEqual("none".utf8)
    }

    private static func withoutDefaultPort(_ authority: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        authority.suffix(3).elementsEqual([0x3A, 0x38, 0x30]) ? authority.dropLast(3) : authority
    }

    private func refused(_ why: StaticString) -> GatewayError {
        GatewayError(.forbidden, detail: "browser request refused: \(why)")
    }
}
