import JSONBytes

/// A credential as it is kept on disk (`store:`), before it is sealed: captures with their types, cookies, times of the
/// wall clock. JSON; texts are base 64, since a token may be any bytes.
package struct SessionRecord {
    /// In the order of `SessionPlan.captureNames`.
    package private(set) var captures: [(name: String, value: CapturedValue)]
    package let jar: CookieJar
    /// When it was gained; unix seconds.
    package let obtained: Int64
    /// Hard expiry; unix seconds; `nil` when unknown.
    package let expires: Int64?

    package init(_ grant: CredentialGrant, names: [String], jar: CookieJar, wall: Int64) {
        captures = Array(zip(names, grant.captures).map { (name: $0, value: $1) })
        self.jar = jar
        obtained = wall
        expires = grant.wallExpiry
    }

    /// By slot of a plan whose captures have these names; null where there was none of the name.
    package func values(names: [String]) -> [CapturedValue] {
        names.map { name in captures.first { $0.name == name }?.value ?? .null }
    }

    /// The credential under a plan whose captures have these names; `nil` when they are others. `wall`: now.
    package func grant(names: [String], wall: Int64, keepsCookies: Bool) -> CredentialGrant? {
        guard names == captures.map(\.name) else { return nil }
        // A wall clock that was set back must not lengthen a life.
        let seconds = expires.map { Swift.max(Swift.min($0 &- wall, $0 &- obtained), 0) }
        return CredentialGrant(
            captures: captures.map(\.value.value), names: names,
            lifetime: seconds.map { UInt64($0).multipliedSaturated(by: 1_000_000_000) }, wallExpiry: expires,
            cookies: keepsCookies ? jar.values : [])
    }

    package func isExpired(wall: Int64) -> Bool { expires.map { wall >= $0 } ?? false }

    // MARK: As bytes

    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("obtained")
        writer.int(obtained)
        writer.key("expires")
        if let expires { writer.int(expires) } else { writer.null() }
        writer.key("captures")
        writer.beginArray()
        for (name, value) in captures {
            writer.beginArray()
            let name = Array(name.utf8)
            writer.string(name.span)
            value.write(to: &writer)
            writer.endArray()
        }
        writer.endArray()
        writer.key("cookies")
        jar.write(to: &writer)
        writer.endObject()
        return writer.take()
    }

    /// `nil`: these are no such bytes.
    package init?(_ bytes: [UInt8]) {
        guard let root = try? JSONDocument(parsing: bytes).root, let obtained = root.member("obtained")?.int64,
            let expires = root.member("expires"), let captures = root.member("captures"),
            let cookies = root.member("cookies"),
            let jar = CookieJar(record: cookies)
        else { return nil }
        self.obtained = obtained
        self.expires = expires.int64
        self.jar = jar
        self.captures = []
        for capture in captures.elements {
            guard let name = capture.element(at: 0)?.text, let value = CapturedValue(record: capture) else {
                return nil
            }
            self.captures.append((String(decoding: name, as: UTF8.self), value))
        }
    }
}
