import Bytes
import Expressions
import JSONBytes

/// A credential that a file or a command hands over: JSON `{"token": ..., "expires_in": ...}` (also `access_token`,
/// `expires_at`, and any capture by its own name), or plain text, which is the token.
package enum TokenText {
    /// Largest text that is looked into.
    package static let limit = 64 * 1024

    /// The text as a credential. `age`: seconds since it was written, which are gone from `expires_in`. Throws `loginUnavailable` when there is no token in it: the next writer may do better.
    package static func grant(
        _ text: [UInt8], source: TokenSource, plan: SessionPlan, scope: ExchangeScope, wall: Int64, age: Int64
    ) throws(GatewayError) -> CredentialGrant {
        let captures = MemberList(
            Array(repeating: .null, count: plan.captureNames.count), what: "the text has no such value")
        let trimmed = Array(text[...].withoutBlanks)
        let view = ResponseView(status: 200, fields: PairBlock(), body: trimmed)
        scope.response = view
        scope.session = captures
        if let root = try? view.json(), let name = root.document.duplicateName {
            throw GatewayError(
                .loginUnavailable, detail: "token: the JSON names a member twice: \(AnswerOutline.words(name))")
        }
        if source.captures.isEmpty {
            try read(trimmed, view, into: captures, names: plan.captureNames)
        } else {
            for capture in source.captures {
                do {
                    captures.set(try capture.value.evaluate(scope), at: capture.slot)
                } catch {
                    throw GatewayError(
                        .loginUnavailable, detail: "token, capture \(plan.captureNames[capture.slot]): \(error)")
                }
            }
        }
        if age > 0, let slot = plan.captureNames.firstIndex(of: "expires_in"),
            let seconds = CredentialExpiry.number(captures.values[slot]), seconds > 0
        {
            captures.set(.int(max(seconds - min(age, seconds), 1)), at: slot)
        }
        return CredentialExpiry.grant(captures: captures.values, names: plan.captureNames, wall: wall)
    }

    private static func read(
        _ text: [UInt8], _ view: ResponseView, into captures: MemberList, names: [String]
    ) throws(GatewayError) {
        if let root = try? view.json(), root.kind == .object {
            for (slot, name) in names.enumerated() {
                let alias = name == "token" ? "access_token" : name
                let (key, other) = (Array(name.utf8), Array(alias.utf8))
                if let value = root.member(key.span) ?? root.member(other.span) { captures.set(.json(value), at: slot) }
            }
        } else if let slot = names.firstIndex(of: "token"), !text.isEmpty, !text.contains(where: { $0 < 0x20 }) {
            captures.set(.text(text), at: slot)
        }
        if let slot = names.firstIndex(of: "token"), captures.values[slot].isAbsent {
            throw GatewayError(.loginUnavailable, detail: "token: neither JSON with a token nor one line of text")
        }
    }
}

extension ArraySlice<UInt8> {
    /// Without line ends and blanks around it.
    fileprivate var withoutBlanks: ArraySlice<UInt8> {
        let rest = drop { $0 <= 0x20 }
        return rest.prefix((rest.lastIndex { $0 > 0x20 } ?? rest.startIndex - 1) + 1 - rest.startIndex)
    }
}
