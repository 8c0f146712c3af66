/// Puts parameters and names of secrets into the texts of a profile.
struct ProfileTexts {
    /// By name; `{{NAME}}` stands for it.
    var values: [String: String]
    /// Secrets that go by another name in the config: the profile's name, then the config's.
    var secrets: [String: String]
    /// Longest text that comes of one scalar, in bytes: a parameter used often must not make a config of any size.
    static let longest = 1 << 18

    /// The tree with everything put in. Names between braces that are no parameters are added to `unknown`.
    func apply(to node: YAMLNode, unknown: inout [String]) -> YAMLNode {
        var missing = unknown
        let result = node.map(
            place: { $0 }, key: { text($0, unknown: &missing) },
            scalar: { scalar in
                let text = text(scalar.text, unknown: &missing)
                // A scalar that is one parameter without a value counts as not written.
                if text.isEmpty, !scalar.text.isEmpty { return nil }
                return YAMLScalar(text: text, style: scalar.style)
            })
        unknown = missing
        return result ?? node
    }

    private func text(_ text: String, unknown: inout [String]) -> String {
        renamed(substituted(text, unknown: &unknown))
    }

    private func substituted(_ text: String, unknown: inout [String]) -> String {
        guard text.contains("{{") else { return text }
        let bytes = Array(text.utf8)
        var (output, index) = ([UInt8](), 0)
        while index < bytes.count {
            guard let (name, end) = ProfileTexts.placeholder(bytes, at: index) else {
                output.append(bytes[index])
                index += 1
                continue
            }
            if let value = values[name] {
                if output.count < ProfileTexts.longest { output += value.utf8 }
            } else if !unknown.contains(name) {
                unknown.append(name)
            }
            index = end
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// `{{ name }}` here: the name and the offset behind it. Anything else is the text of an expression.
    private static func placeholder(_ bytes: [UInt8], at start: Int) -> (name: String, end: Int)? {
        guard start + 4 < bytes.count, bytes[start] == 0x7B, bytes[start + 1] == 0x7B else { return nil }
        var index = start + 2
        while index < bytes.count, bytes[index] == 0x20 { index += 1 }
        let first = index
        while index < bytes.count, isIdentifier(bytes[index]) { index += 1 }
        let name = bytes[first..<index]
        while index < bytes.count, bytes[index] == 0x20 { index += 1 }
        guard !name.isEmpty, index + 1 < bytes.count, bytes[index] == 0x7D, bytes[index + 1] == 0x7D else { return nil }
        return (String(decoding: name, as: UTF8.self), index + 2)
    }

    /// `secret.NAME` where the name is a whole word.
    private func renamed(_ text: String) -> String {
        guard !secrets.isEmpty, text.contains("secret.") else { return text }
        let (bytes, prefix) = (Array(text.utf8), Array("secret.".utf8))
        var (output, index) = ([UInt8](), 0)
        while index < bytes.count {
            let isWord = index == 0 || !(ProfileTexts.isIdentifier(bytes[index - 1]) || bytes[index - 1] == 0x2E)
            guard isWord, bytes[index...].starts(with: prefix) else {
                output.append(bytes[index])
                index += 1
                continue
            }
            index += prefix.count
            var end = index
            while end < bytes.count, ProfileTexts.isIdentifier(bytes[end]) { end += 1 }
            let name = String(decoding: bytes[index..<end], as: UTF8.self)
            output += prefix + Array((secrets[name] ?? name).utf8)
            index = end
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        ASCIIName.isNameByte(byte) && byte != 0x2D && byte != 0x2E
    }
}
