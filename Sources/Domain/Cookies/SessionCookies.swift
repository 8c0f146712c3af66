package import Bytes

/// A jar and the upstream that a request goes to.
package struct SessionCookies {
    package let jar: CookieJar
    package let site: CookieSite

    package init(jar: CookieJar, site: CookieSite) {
        self.jar = jar
        self.site = site
    }

    /// One `Cookie` field (RFC 6265 5.4): the jar's come before those that stand there.
    package func attach(to draft: RequestDraft, wall: Int64) {
        var text = jar.header(to: site, path: draft.path[...], wall: wall)
        guard !text.isEmpty else { return }
        let name = Array("Cookie".utf8)
        if let own = draft.fields.first("cookie", folding: true) {
            text.append(contentsOf: [0x3B, 0x20])
            text.append(contentsOf: own)
            draft.fields.removeAll { block, index in ASCII.equalFolded(block.name(at: index).span, name.span) }
        }
        draft.fields.append(name: name, value: text)
    }

    /// Takes what the answer to this request sets.
    package func store(_ fields: PairBlock, _ draft: RequestDraft, wall: Int64) {
        jar.store(fields, from: site, path: draft.path, wall: wall)
    }
}
