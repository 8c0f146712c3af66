import Bytes

/// Edits of the `Cookie` field (RFC 6265 5.4): `a=1; b=2`.
enum CookieText {
    /// Drops the cookies with these names; the field itself goes when nothing is left of it.
    static func drop(_ names: [[UInt8]], from draft: RequestDraft) {
        let field = Array("Cookie".utf8)
        var kept: [UInt8] = []
        var dropped = false
        for index in 0..<draft.fields.count {
            let name = draft.fields.name(at: index)
            guard ASCII.equalFolded(name.span, field.span) else { continue }
            for piece in draft.fields.value(at: index).split(separator: 0x3B) {
                let cookie = ASCII.trimmed(piece)
                let cookieName = cookie.prefix { $0 != 0x3D }
                if OwnedFields.contains(names, cookieName.span) {
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
