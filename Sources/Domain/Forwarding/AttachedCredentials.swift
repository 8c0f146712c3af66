package import Bytes
import Expressions

/// The credential values that a session attaches to requests, so that they can be kept out of the header fields of answers:
/// an upstream that redirects to its own URL repeats a token that came in the query, and others echo it.
package struct AttachedCredentials: Sendable {
    /// A shorter value would match by chance.
    package static let least = 8

    private let values: [[UInt8]]

    package init(_ values: [[UInt8]]) {
        self.values = values.filter { $0.count >= Self.least }
    }

    /// What `plan` attaches while `credential` is the session's.
    package init(_ plan: SessionPlan, _ credential: CredentialSnapshot, _ surroundings: Surroundings) {
        let scope = ExchangeScope(request: LoginRun.emptyDraft, now: (0, 0), surroundings: surroundings)
        scope.session = credential
        var values: Set<[UInt8]> = []
        for field in plan.attach.fields {
            let names = field.value.references
            // A constant is no credential: `Accept: application/json` would not be missed, but found everywhere.
            let isOwn =
                names.contains { $0.name == "session" || $0.name == "secret" }
                && names.allSatisfy { ["session", "secret", "device"].contains($0.name) }
            if isOwn, let value = try? field.value.evaluate(scope) {
                var text: [UInt8] = []
                value.appendText(to: &text)
                values.insert(text)
                // `Bearer t`: the upstream knows the token without its scheme.
                if let blank = text.firstIndex(of: 0x20) { values.insert(Array(text[(blank + 1)...])) }
            }
            for name in names where name.name == "session" || (name.name == "secret" && !isOwn) {
                if let text = Self.text(of: name, plan, credential, surroundings) { values.insert(text) }
            }
        }
        self.init(Array(values))
    }

    private static func text(
        of name: Reference, _ plan: SessionPlan, _ credential: CredentialSnapshot, _ surroundings: Surroundings
    ) -> [UInt8]? {
        guard let member = name.member else { return nil }
        var text: [UInt8] = []
        if name.name == "session" {
            guard let slot = plan.captureNames.firstIndex(of: member) else { return nil }
            (try? credential.member(slot))?.appendText(to: &text)
        } else if let index = surroundings.objectType.index(of: member) {
            (try? surroundings.member(index))?.appendText(to: &text)
        }
        return text
    }

    /// Takes the values out of an answer's fields. A parameter of a URL that holds one goes; elsewhere it is masked; a field
    /// that holds one in escapes goes as a whole.
    /// - Parameter more: values of the session's cookies.
    package func strip(from fields: inout PairBlock, and more: [[UInt8]] = []) {
        let search = Search(values: more.isEmpty ? values : values + more.filter { $0.count >= Self.least })
        // One look over all bytes of the head, and mostly that is all.
        guard search.finds(fields.bytes[...]) else { return }
        var kept = PairBlock()
        for index in 0..<fields.count {
            let (name, value) = (Array(fields.name(at: index)), fields.value(at: index))
            if search.finds(value) {
                let text = search.masked(Self.isAddress(name) ? search.withoutParameters(value) : Array(value))
                if !search.finds(text[...]) { kept.append(name: name, value: text) }
            } else {
                kept.append(name: name, value: Array(value))
            }
        }
        fields = kept
    }

    private static let addresses = ["location", "content-location", "link"].map { Array($0.utf8) }

    private static func isAddress(_ name: [UInt8]) -> Bool {
        OwnedFields.contains(addresses, name.span, folding: true)
    }
}

/// Finding values in a text, as they are and percent-encoded.
private struct Search {
    let values: [[UInt8]]

    func finds(_ text: ArraySlice<UInt8>) -> Bool {
        if values.contains(where: { first($0, in: text, from: text.startIndex) != nil }) { return true }
        guard text.contains(0x25) else { return false }
        // Whichever bytes are escaped, and with which case: decoded they are the value.
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        Percent.decode(text.span, plusIsSpace: false, into: &decoded)
        return values.contains { first($0, in: decoded[...], from: 0) != nil }
    }

    func masked(_ text: [UInt8]) -> [UInt8] {
        var result = text
        for value in values {
            var position = 0
            while let found = first(value, in: result[...], from: position) {
                result.replaceSubrange(found..<found + value.count, with: [0x2A, 0x2A, 0x2A])
                position = found + 3
            }
        }
        return result
    }

    /// The URLs in a text without those parameters, of the query or of the fragment, that hold a value.
    func withoutParameters(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        // The `?` or `#` of parameters that went: the next one takes it.
        var opener: UInt8?
        var index = text.startIndex
        while index < text.endIndex {
            let separator = text[index]
            guard separator == 0x3F || separator == 0x23 || separator == 0x26 else {
                opener = nil
                output.append(separator)
                index += 1
                continue
            }
            if separator != 0x26 { opener = nil }
            let rest = text[(index + 1)...]
            let end = rest.firstIndex { [0x26, 0x23, 0x3E, 0x22, 0x20].contains($0) } ?? text.endIndex
            if finds(text[(index + 1)..<end]) {
                if separator != 0x26 { opener = separator }
            } else {
                output.append(opener ?? separator)
                output.append(contentsOf: text[(index + 1)..<end])
                opener = nil
            }
            index = end
        }
        return output
    }

    private func first(_ value: [UInt8], in text: ArraySlice<UInt8>, from start: Int) -> Int? {
        let (bytes, wanted) = (text.span, value.span)
        guard wanted.count > 0, bytes.count >= wanted.count else { return nil }
        var index = start - text.startIndex
        while index <= bytes.count - wanted.count {
            var matched = 0
            while matched < wanted.count, bytes[index &+ matched] == wanted[matched] { matched &+= 1 }
            if matched == wanted.count { return index + text.startIndex }
            index &+= 1
        }
        return nil
    }
}
