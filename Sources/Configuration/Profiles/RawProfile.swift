/// A profile file as read: what it says about itself, and its sections as the nodes they are.
struct RawProfile {
    struct Parameter {
        var initial: Cursor?
        var doc: String?

        /// The default's text; `nil`: the parameter must be given.
        var text: String? {
            guard let initial, case .scalar(let scalar) = initial.node.content else { return nil }
            return scalar.text
        }
    }

    /// Keys that become part of the config.
    static let parts = ["upstream", "session", "signature", "signatures", "envelope", "envelopes", "routes"]

    var name: Placed<String>?
    var summary: String?
    var base: Placed<String>?
    var parameters: [Named<Parameter?>] = []
    var secrets: [Named<String?>] = []
    /// By key; in the order of `parts`.
    var nodes: [String: YAMLNode] = [:]

    static var section: Section<RawProfile> {
        Section(RawProfile()) { initial in
            [
                .key("profile", ValueReader.text("a name").placed, into: \.name, isRequired: true, "Its name."),
                .key("summary", .text("text"), into: \.summary, isRequired: true, "What it is for, in one sentence."),
                .key(
                    "extends", ValueReader.text("name or path of a profile").placed, into: \.base, note: "none",
                    "Profile that this one changes."),
                .key(
                    "parameters", parameter.reader.orNull.named("NAME", rule: .identifier), into: \.parameters,
                    default: initial, "What a config can say; `{{NAME}}` stands for it in every text."),
                .key(
                    "secrets", ValueReader.text("text").orNull.named("NAME", rule: .identifier), into: \.secrets,
                    default: initial, "Secrets that the config must define, and what each is."),
            ]
                + parts.map { part in
                    .key(part, node(isList: part == "routes"), into: \.[part: part], "Part of the config.")
                }
        }
    }

    private subscript(part name: String) -> YAMLNode? {
        get { nodes[name] }
        set { nodes[name] = newValue }
    }

    /// Its keys are read where they end up; a mapping is what they have in common.
    private static func node(isList: Bool) -> ValueReader<YAMLNode> {
        ValueReader(.json) { cursor in
            switch cursor.node.content {
            case .mapping: return cursor.node
            case .sequence where isList: return cursor.node
            case .sequence, .scalar:
                cursor.report("expected a mapping\(isList ? ", or a list of them" : ""), not \(cursor.node.kindName)")
                return nil
            }
        }
    }

    private static var parameter: Section<Parameter> {
        Section(Parameter()) { _ in
            [
                .key("default", .template, into: \.initial, note: "none", "Text without which it must be given."),
                .key("doc", .text("text"), into: \.doc, "What it is."),
            ]
        }
    }
}

extension ValueReader {
    /// `null` is a value too: an extending profile takes something away with it.
    fileprivate var orNull: ValueReader<Value?> {
        ValueReader<Value?>(type) { cursor in
            if cursor.node.isNull { return .some(nil) }
            return read(cursor).map { .some($0) }
        }
    }
}

extension Named<RawProfile.Parameter?> {
    var fact: ProfileFacts.Entry? {
        value.map { ProfileFacts.Entry(name: name, initial: $0.text, doc: $0.doc ?? "") }
    }
}

extension Named<String?> {
    var fact: ProfileFacts.Entry? { value.map { ProfileFacts.Entry(name: name, initial: nil, doc: $0) } }
}
