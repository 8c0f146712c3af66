package import Bytes
import HTTPWire

/// The cookies of one session: what the upstream set during the login and since. Lives on the loop with its session; a
/// login under way has a jar of its own.
package final class CookieJar {
    /// Most cookies kept (RFC 6265 6.1 asks for 50 per domain); above it the oldest goes.
    static let most = 100

    private(set) var cookies: [Cookie]
    /// Cookies that were refused and that nobody has told of yet: an upstream that logs in and whose cookie is not kept looks
    /// like one that forgets its sessions.
    package private(set) var refusals: [CookieRefusal] = []

    package convenience init() { self.init([]) }

    init(_ cookies: [Cookie]) { self.cookies = cookies }

    package var isEmpty: Bool { cookies.isEmpty }

    /// For a refresh, which goes on with what the session has.
    package func copy() -> CookieJar {
        CookieJar(cookies)
    }

    /// Takes every `Set-Cookie` line of an answer. `path` is the request's, without its query.
    package func store(_ fields: PairBlock, from site: CookieSite, path: [UInt8], wall: Int64) {
        let name = Array("set-cookie".utf8)
        var start = 0
        while let index = fields.firstIndex(of: name.span, folding: true, from: start) {
            start = index + 1
            let cookie: Cookie
            do throws(CookieRefusal) {
                cookie = try Cookie(line: fields.value(at: index), from: site, requestPath: path, wall: wall)
            } catch {
                if !error.isDeletion, !refusals.contains(error), refusals.count < Self.most { refusals.append(error) }
                continue
            }
            let old = cookies.firstIndex { $0.isSame(as: cookie) }
            if cookie.isExpired(wall) {
                if let old { cookies.remove(at: old) }
            } else if let old {
                // Keeps its place: the creation time orders cookies (RFC 6265 5.3 step 11).
                cookies[old] = cookie
            } else {
                cookies.append(cookie)
                if cookies.count > Self.most { cookies.removeFirst() }
            }
        }
    }

    /// The refusals, to be told.
    package func takeRefusals() -> [CookieRefusal] {
        defer { refusals = [] }
        return refusals
    }

    /// Value of the `Cookie` field for a request; empty: none goes there. Longer paths first (RFC 6265 5.4).
    package func header(to site: CookieSite, path: ArraySlice<UInt8>, wall: Int64) -> [UInt8] {
        var text: [UInt8] = []
        let sent = cookies.enumerated().filter { $0.element.goes(to: site, path: path, wall: wall) }
        let ordered = sent.sorted {
            ($1.element.path.count, $0.offset) < ($0.element.path.count, $1.offset)
        }
        for (_, cookie) in ordered {
            if !text.isEmpty { text.append(contentsOf: [0x3B, 0x20]) }
            text.append(contentsOf: cookie.name)
            text.append(0x3D)
            text.append(contentsOf: cookie.value)
        }
        return text
    }

    /// For expressions: `cookies["XSRF-TOKEN"]`, the newest of a name first.
    package var pairs: PairBlock {
        var block = PairBlock()
        for cookie in cookies.reversed() { block.append(name: cookie.name, value: cookie.value) }
        return block
    }

    /// Values that no log line may show.
    package var values: [[UInt8]] { cookies.map(\.value) }
}
