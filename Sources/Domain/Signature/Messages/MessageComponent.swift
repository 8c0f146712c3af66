import Bytes
import Cryptography

/// One covered component of an HTTP message signature (RFC 9421 2): a derived one or a field, with its flags.
package struct MessageComponent: Sendable {
    enum Source: Sendable {
        case method, targetURI, authority, scheme, requestTarget, path, query
        /// Encoded name.
        case queryParameter([UInt8])
        case field([UInt8])
    }

    /// `"@query-param";name="Pet"`, as it stands in the signature's input.
    package let identifier: [UInt8]
    let source: Source
    /// The field as a structured field in strict form.
    private let isStrict: Bool
    /// Every line as a byte sequence.
    private let isWrapped: Bool
    /// One member of a dictionary.
    private let member: [UInt8]?

    /// Reads `@method`, `content-type;sf`, `"@query-param";name="Pet"`.
    /// - Throws: what is wrong with it, for the config's issues.
    package init(parsing text: String) throws(MessageComponentError) {
        var bytes = Array(text.utf8)
        if bytes.first == 0x22, let end = bytes.dropFirst().firstIndex(of: 0x22) {
            bytes.remove(at: end)
            bytes.removeFirst()
        }
        let end = bytes.firstIndex(of: 0x3B) ?? bytes.count
        let name = bytes[..<end].map(ASCII.lower)
        var reader = StructuredReader(Array(bytes[end...]))
        var parameters: [UInt8] = []
        guard !name.isEmpty, name.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }),
            reader.parameters(into: &parameters), reader.isAtEnd
        else { throw MessageComponentError(text: "not a component identifier") }
        identifier = [0x22] + name + [0x22] + parameters
        let flags = Self.flags(parameters)
        isStrict = flags.contains { $0.name == "sf" }
        isWrapped = flags.contains { $0.name == "bs" }
        member = flags.first { $0.name == "key" }?.text
        if let unknown = flags.first(where: { !["sf", "bs", "key", "name"].contains($0.name) }) {
            throw MessageComponentError(text: "unknown or unfit parameter \(unknown.name)")
        }
        if isWrapped, isStrict || member != nil { throw MessageComponentError(text: "bs excludes sf and key") }
        source = try Self.source(name, flags)
    }

    /// Parameters in strict form: no `;` and no `=` hides in a string, except in the value of `key` and `name`.
    private static func flags(_ parameters: [UInt8]) -> [(name: String, text: [UInt8]?)] {
        var flags: [(name: String, text: [UInt8]?)] = []
        var index = 0
        while index < parameters.count {
            index += 1
            let start = index
            while index < parameters.count, parameters[index] != 0x3B, parameters[index] != 0x3D { index += 1 }
            let name = String(decoding: parameters[start..<index], as: UTF8.self)
            guard index < parameters.count, parameters[index] == 0x3D else {
                flags.append((name, nil))
                continue
            }
            index += 1
            var text: [UInt8] = []
            if index < parameters.count, parameters[index] == 0x22 {
                index += 1
                while index < parameters.count, parameters[index] != 0x22 {
                    if parameters[index] == 0x5C { index += 1 }
                    text.append(parameters[index])
                    index += 1
                }
                index += 1
            } else {
                while index < parameters.count, parameters[index] != 0x3B {
                    text.append(parameters[index])
                    index += 1
                }
            }
            flags.append((name, text))
        }
        return flags
    }

    private static func source(
        _ name: [UInt8], _ flags: [(name: String, text: [UInt8]?)]
    ) throws(MessageComponentError) -> Source {
        let parameter = flags.first { $0.name == "name" }?.text
        guard name.first == 0x40 else {
            if parameter != nil { throw MessageComponentError(text: "a field has no name parameter") }
            return .field(name)
        }
        let text = String(decoding: name, as: UTF8.self)
        if text == "@query-param" {
            guard let parameter else { throw MessageComponentError(text: "@query-param needs ;name=\"...\"") }
            return .queryParameter(parameter)
        }
        guard flags.isEmpty else { throw MessageComponentError(text: "\(text) takes no parameters") }
        switch text {
        case "@method": return .method
        case "@target-uri": return .targetURI
        case "@authority": return .authority
        case "@scheme": return .scheme
        case "@request-target": return .requestTarget
        case "@path": return .path
        case "@query": return .query
        default: throw MessageComponentError(text: "\(text) is no component of a request")
        }
    }

    /// - Throws: the reason why the request has no such component.
    package func value(_ draft: RequestDraft) throws(MessageComponentError) -> [UInt8] {
        switch source {
        case .method: return draft.method
        case .targetURI: return Array("\(draft.scheme)://".utf8) + Self.authority(draft) + draft.target
        case .authority: return Self.authority(draft)
        case .scheme: return Array(draft.scheme.utf8)
        case .requestTarget: return draft.target
        case .path: return draft.path.isEmpty ? [0x2F] : draft.path
        case .query: return [0x3F] + (draft.query ?? [])
        case .queryParameter(let name): return try Self.parameter(name, draft)
        case .field(let name): return try field(name, draft)
        }
    }

    /// Lower case, without the default port.
    private static func authority(_ draft: RequestDraft) -> [UInt8] {
        let lower = draft.host.map(ASCII.lower)
        let port = Array((draft.isSecure ? ":443" : ":80").utf8)
        return lower.count > port.count && lower.suffix(port.count).elementsEqual(port)
            ? lower.dropLast(port.count) : lower
    }

    /// Decoded as a form and encoded again, so that every spelling gives the same (2.2.8). One that comes twice must not
    /// be signed.
    private static func parameter(_ name: [UInt8], _ draft: RequestDraft) throws(MessageComponentError) -> [UInt8] {
        let query = draft.query ?? []
        let pairs = Percent.pairs(query.span)
        var plain: [UInt8] = []
        Percent.decode(name.span, plusIsSpace: false, into: &plain)
        guard let index = pairs.firstIndex(of: plain.span, folding: false) else {
            throw MessageComponentError(text: "the query has no such parameter")
        }
        guard pairs.firstIndex(of: plain.span, folding: false, from: index + 1) == nil else {
            throw MessageComponentError(text: "the parameter comes more than once")
        }
        return encoded(pairs.value(at: index))
    }

    /// The form encoding of the URL standard, with `%20` for a blank: `*-._` stay, `~` does not.
    private static func encoded(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        for byte in value {
            if ASCII.isAlpha(byte) || ASCII.isDigit(byte) || [0x2A, 0x2D, 0x2E, 0x5F].contains(byte) {
                output.append(byte)
            } else {
                output.append(contentsOf: [0x25, Hex.upperDigit(byte >> 4), Hex.upperDigit(byte & 15)])
            }
        }
        return output
    }

    private func field(_ name: [UInt8], _ draft: RequestDraft) throws(MessageComponentError) -> [UInt8] {
        let lines = Self.lines(name, draft)
        guard !lines.isEmpty else { throw MessageComponentError(text: "the request has no such field") }
        if isWrapped { return joined(lines.map { [0x3A] + Base64.encode($0.span) + [0x3A] }) }
        let combined = joined(lines)
        if let member {
            guard let members = StructuredReader.dictionary(combined) else {
                throw MessageComponentError(text: "the field is no dictionary")
            }
            guard let found = members.first(where: { $0.key == member }) else {
                throw MessageComponentError(text: "the field has no such member")
            }
            return found.value
        }
        guard isStrict else { return combined }
        guard let strict = StructuredReader.strict(combined) else {
            throw MessageComponentError(text: "the field is no structured field")
        }
        return strict
    }

    /// Values as they will be sent; host and length follow from the upstream and the body.
    private static func lines(_ name: [UInt8], _ draft: RequestDraft) -> [[UInt8]] {
        if name == Array("host".utf8) { return [draft.host] }
        if name == Array("content-length".utf8) {
            guard let count = draft.contentCount else { return [] }
            var text: [UInt8] = []
            text.append(decimal: count)
            return [text]
        }
        var lines: [[UInt8]] = []
        for index in 0..<draft.fields.count
        where ASCII.equalFolded(draft.fields.name(at: index).span, name.span) {
            lines.append(Array(ASCII.trimmed(draft.fields.value(at: index))))
        }
        return lines
    }

    private func joined(_ lines: [[UInt8]]) -> [UInt8] {
        var output: [UInt8] = []
        for (index, line) in lines.enumerated() {
            if index > 0 { output.append(contentsOf: [0x2C, 0x20]) }
            output.append(contentsOf: line)
        }
        return output
    }
}

/// What is wrong with a component, or with a request that should have it.
package struct MessageComponentError: Error, Equatable {
    package let text: String
}
