import JSONBytes

/// The jar in a `SessionRecord`: `[[name, value, domain, path, hostOnly, secure, expiry], ...]`, oldest first.
extension CookieJar {
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for cookie in cookies {
            writer.beginArray()
            for text in [cookie.name, cookie.value, cookie.domain, cookie.path] { writer.base64(text) }
            writer.bool(cookie.isHostOnly)
            writer.bool(cookie.isSecure)
            if let expiry = cookie.expiry { writer.int(expiry) } else { writer.null() }
            writer.endArray()
        }
        writer.endArray()
    }

    convenience init?(record: JSONValue) {
        var cookies: [Cookie] = []
        for entry in record.elements {
            guard let cookie = Cookie(record: entry) else { return nil }
            cookies.append(cookie)
        }
        self.init(cookies)
    }
}

extension Cookie {
    fileprivate init?(record: JSONValue) {
        let texts = (0..<4).compactMap { record.element(at: $0)?.base64 }
        guard texts.count == 4, let isHostOnly = record.element(at: 4)?.boolValue,
            let isSecure = record.element(at: 5)?.boolValue, let expiry = record.element(at: 6)
        else { return nil }
        self.init(
            name: texts[0], value: texts[1], domain: texts[2], path: texts[3], isHostOnly: isHostOnly,
            isSecure: isSecure, expiry: expiry.int64)
    }
}
