package import Bytes
import Expressions
import Redaction

/// The credential values that requests go out with (`CredentialSources`), so that they can be kept out of the header fields of
/// answers: an upstream that redirects to its own URL repeats a token that came in the query, and others echo it.
package struct AttachedCredentials {
    /// A shorter value would match by chance.
    package static let least = 8

    private let redactor: Redactor

    package init(_ values: [[UInt8]]) {
        redactor = Redactor(values.filter { $0.count >= Self.least })
    }

    /// What goes out from these places while `credential` is the session's; `nil`: a guest, or no session.
    /// - Parameter more: values of the session's cookies.
    package init(
        _ places: CredentialSources, _ credential: CredentialSnapshot?, _ surroundings: Surroundings,
        and more: [[UInt8]] = []
    ) {
        let scope = ExchangeScope(request: LoginRun.emptyDraft, now: (0, 0), surroundings: surroundings)
        scope.session = credential
        var values: Set<[UInt8]> = []
        for source in places.sources {
            if source.isOwn, let value = source.part.value(scope) {
                var text: [UInt8] = []
                value.appendText(to: &text)
                values.formUnion(Self.spellings(of: text[...]))
            }
            for name in source.names where name.name == "session" || (name.name == "secret" && !source.isOwn) {
                if let text = Self.text(of: name, places, credential, surroundings) { values.insert(text) }
            }
        }
        self.init(Array(values) + more)
    }

    /// `Bearer t`: the upstream knows the token without its scheme.
    static func spellings(of text: ArraySlice<UInt8>) -> [[UInt8]] {
        guard let blank = text.firstIndex(of: 0x20) else { return [Array(text)] }
        return [Array(text), Array(text[(blank + 1)...])]
    }

    private static func text(
        of name: Reference, _ places: CredentialSources, _ credential: CredentialSnapshot?,
        _ surroundings: Surroundings
    ) -> [UInt8]? {
        guard let member = name.member else { return nil }
        var text: [UInt8] = []
        if name.name == "session" {
            guard let slot = places.captureNames.firstIndex(of: member) else { return nil }
            (try? credential?.member(slot))?.appendText(to: &text)
        } else if let index = surroundings.objectType.index(of: member) {
            (try? surroundings.member(index))?.appendText(to: &text)
        }
        return text
    }

    /// Takes the values out of an answer's fields, however they are spelt. A parameter of a URL that holds one goes; elsewhere
    /// it is masked.
    package func strip(from fields: inout PairBlock) {
        // One look over all bytes of the head, and mostly that is all.
        let bytes = fields.bytes
        guard finds(bytes.span) else { return }
        var kept = PairBlock()
        for index in 0..<fields.count {
            let (name, value) = (Array(fields.name(at: index)), fields.value(at: index))
            guard finds(value.span) else {
                kept.append(name: name, value: Array(value))
                continue
            }
            let text = AddressField(name.span) != nil ? withoutParameters(value) : Array(value)
            kept.append(name: name, value: redactor.redact(text.span) ?? text)
        }
        fields = kept
    }

    /// Where the values stand, in any spelling.
    package func ranges(in text: Span<UInt8>) -> [Range<Int>] { redactor.ranges(in: text) }

    private func finds(_ text: Span<UInt8>) -> Bool { !ranges(in: text).isEmpty }

    /// The URLs in a text without those parameters, of the query or of the fragment, that hold a value.
    private func withoutParameters(_ text: ArraySlice<UInt8>) -> [UInt8] {
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
            let parameter = text[(index + 1)..<end]
            if finds(parameter.span) {
                if separator != 0x26 { opener = separator }
            } else {
                output.append(opener ?? separator)
                output.append(contentsOf: parameter)
                opener = nil
            }
            index = end
        }
        return output
    }
}
