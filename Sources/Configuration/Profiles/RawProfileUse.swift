/// `profile` of an upstream: a mapping, or the name (or path) alone.
struct RawProfileUse {
    var name: Placed<String>?
    var values: [Named<Cursor>] = []
    var secrets: [Named<Placed<String>>] = []
    var hasRoutes = true
    var prefix: Placed<String>?

    private static var section: Section<RawProfileUse> {
        Section(RawProfileUse()) { initial in
            [
                .key(
                    "name", ValueReader.text("name or path of a profile").placed, into: \.name, isRequired: true,
                    "A profile of `countersign profiles`, or the path of an own one, relative to the config file."),
                .key(
                    "with", ValueReader.template.named("PARAMETER", rule: .any), into: \.values, default: initial,
                    "The profile's parameters."),
                .key(
                    "secrets", ValueReader.text("name of a secret").placed.named("SECRET", rule: .any),
                    into: \.secrets, default: initial,
                    "Secrets that go by another name in this config: the profile's name, then this config's."),
                .key(
                    "prefix", pathPrefix.placed, into: \.prefix, note: "none",
                    "First part of the paths of the profile's routes, like `/shop`; it is taken off before forwarding."
                ),
                .key(
                    "routes", .flag, into: \.hasRoutes, default: initial,
                    "`false` leaves the profile's routes out; the rest can be used by routes of this config."),
            ]
        }
    }

    /// It becomes part of a pattern and of an expression, so it is plain.
    private static var pathPrefix: ValueReader<String> {
        let text = ValueReader.text("a path")
        return ValueReader(text.type) { cursor in
            guard let path = text.read(cursor) else { return nil }
            let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            let isPlain = segments.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCIIName.isNameByte) }
            if path.hasPrefix("/"), !segments.isEmpty, isPlain { return path }
            cursor.report(
                "not a plain path", hint: "like /shop: letters, digits, '-', '_' and '.', no slash at the end")
            return nil
        }
    }

    static var reader: ValueReader<RawProfileUse> {
        let section = section
        let name = ValueReader.text("name or path of a profile").placed
        return ValueReader(.either(name.type, section.reader.type)) { cursor in
            guard case .scalar = cursor.node.content else { return section.read(cursor) }
            return name.read(cursor).map { RawProfileUse(name: $0) }
        }
    }
}
