import Bytes

/// Edits of the `Cookie` field (RFC 6265 5.4): `a=1; b=2`.
enum CookieText {
    /// `cookie-value` (RFC 6265 4.1.1): US-ASCII without controls, blank, `"`, `,`, `;` and backslash; quotes may stand
    /// around the whole.
    static func isValue(_ text: [UInt8]) -> Bool {
        var octets = text[...]
        if octets.count > 1, octets.first == 0x22, octets.last == 0x22 { octets = octets.dropFirst().dropLast() }
        return octets.allSatisfy { byte in
            switch byte {
            case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
            default: false
            }
        }
    }

    /// Servers differ in how they read a name: without its blanks, decoded (PHP before 7.4.11), without regard to case
    /// (ASP.NET), with a comma before the next cookie (RFC 2109). Whichever way, it must not be one of these.
    private static func holds(_ cookie: ArraySlice<UInt8>, _ names: [[UInt8]]) -> Bool {
        cookie.split(separator: 0x2C).contains { part in
            let name = ASCII.trimmed(part.prefix { $0 != 0x3D })
            var decoded: [UInt8] = []
            Percent.decode(name.span, plusIsSpace: false, into: &decoded)
            return OwnedFields.contains(names, decoded.span, folding: true)
        }
    }

    /// Drops the client's cookies with these names, however they are spelt.
    static func drop(_ names: [[UInt8]], from draft: RequestDraft) {
        drop(from: draft) { holds($0, names) }
    }

    /// Drops the cookie of exactly this name.
    static func drop(exactly name: [UInt8], from draft: RequestDraft) {
        drop(from: draft) { cookie in cookie.prefix { $0 != 0x3D }.elementsEqual(name) }
    }

    /// The field itself goes when nothing is left of it.
    private static func drop(from draft: RequestDraft, where isDropped: (ArraySlice<UInt8>) -> Bool) {
        let field = Array("Cookie".utf8)
        var kept: [UInt8] = []
        var dropped = false
        for index in 0..<draft.fields.count {
            let name = draft.fields.name(at: index)
            guard ASCII.equalFolded(name.span, field.span) else { continue }
            for piece in draft.fields.value(at: index).split(separator: 0x3B) {
                let cookie = ASCII.trimmed(piece)
                if isDropped(cookie) {
                    dropped = true
                } else if !cookie.isEmpty {
                    if !kept.isEmpty { kept.append(contentsOf: [0x3B, 0x20]) }
                    kept.append(contentsOf: cookie)
                }
            }
        }
        guard dropped else { return }
        draft.fields.removeAll { block, index in
            let name = block.name(at: index)
            return ASCII.equalFolded(name.span, field.span)
        }
        if !kept.isEmpty { draft.fields.append(name: field, value: kept) }
    }
}
