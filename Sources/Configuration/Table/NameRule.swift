/// What a user may choose as a name.
enum NameRule {
    /// Upstreams, sessions, routes' references: letters, digits, `-`, `_`, `.`; at most 64 bytes (they become metric labels).
    case name
    /// What expressions reach as `secret.NAME`, `session.NAME`, `vars.NAME`.
    case identifier
    /// An HTTP field name (RFC 9110 5.1) or a cookie name (RFC 6265 4.1.1): a token.
    case token
    /// A parameter or member name: anything but nothing.
    case any

    func problem(of name: String) -> (text: String, hint: String?)? {
        let bytes = name.utf8
        guard !bytes.isEmpty else { return ("an empty name", nil) }
        switch self {
        case .any: return nil
        case .token: return bytes.allSatisfy(ASCIIName.isTokenByte) ? nil : ("not a valid field name", nil)
        case .name:
            if bytes.count > 64 { return ("a name longer than 64 bytes", nil) }
            return bytes.allSatisfy(ASCIIName.isNameByte)
                ? nil : ("not a valid name", "letters, digits, '-', '_' and '.'")
        case .identifier:
            if bytes.count > 64 { return ("a name longer than 64 bytes", nil) }
            let isValid = bytes.allSatisfy { ASCIIName.isNameByte($0) && $0 != 0x2D && $0 != 0x2E }
            let startsWell = bytes.first.map { $0 &- 0x30 >= 10 } ?? false
            return isValid && startsWell
                ? nil : ("not a valid name", "expressions use it: letters, digits and '_', no digit first")
        }
    }
}
