/// Expands the profiles that the upstreams name, before the sections are read: from there on nothing knows of profiles but
/// the places of nodes.
struct ProfileExpander {
    private let library: ProfileLibrary
    private let issues: IssueSink
    private var root: YAMLNode
    /// The profiles' routes, which follow the user's own.
    private var routes: [YAMLNode] = []
    private var weight = 0
    /// Secrets that the profiles bring a use for and the config does not define. What the config changes in a profile may have
    /// no use for one: expressions know them all the same, and one that is read is an issue then.
    private(set) var missingSecrets: [MissingSecret] = []

    init(root: YAMLNode, issues: IssueSink, folder: String) {
        self.root = root
        self.issues = issues
        library = ProfileLibrary(issues: issues, folder: folder)
    }

    /// The config with everything in it; `nil` when a profile cannot be expanded, after an issue.
    mutating func expand() -> YAMLNode? {
        let upstreams = (root["upstreams"]?.entries ?? []).filter { $0.value["profile"].map { !$0.isNull } ?? false }
        guard !upstreams.isEmpty else { return root }
        var isComplete = true
        for upstream in upstreams where !expand(upstream) { isComplete = false }
        guard isComplete else { return nil }
        if !routes.isEmpty {
            var own: [YAMLNode] = []
            if let node = root["routes"], !node.isNull {
                // A single route stands for a list of one.
                if case .sequence(let items) = node.content { own = items } else { own = [node] }
            }
            root = root.setting("routes", to: .sequence(own + routes, at: root["routes"]?.position ?? root.position))
        }
        return root
    }

    private mutating func expand(_ upstream: YAMLEntry) -> Bool {
        guard let node = upstream.value["profile"] else { return false }
        let place = Cursor(node: node, path: "upstreams.\(Quoted.plain(upstream.key)).profile", issues: issues)
        let before = issues.errorCount
        guard let use = RawProfileUse.reader.read(place), issues.errorCount == before, let reference = use.name,
            let profile = library.profile(reference)
        else { return false }
        checkSecrets(profile, use, reference)
        let texts = self.texts(profile, use, reference, upstream: upstream.key)
        guard let texts else { return false }
        var unknown: [String] = []
        let parts = texts.apply(to: profile.parts, unknown: &unknown)
        for name in unknown {
            reference.cursor.report(
                "\(profile.label) uses {{\(Quoted.plain(name))}}, which is not among its parameters")
        }
        weight += parts.weight
        guard weight <= YAMLDocument.mostNodes else {
            reference.cursor.report("the profiles of this file have more than \(YAMLDocument.mostNodes) values")
            return false
        }
        install(parts, upstream, use)
        return unknown.isEmpty
    }

    /// Parameters with their values; `nil` after an issue.
    private func texts(
        _ profile: Profile, _ use: RawProfileUse, _ reference: Placed<String>, upstream: String
    ) -> ProfileTexts? {
        let before = issues.errorCount
        let names = profile.parameters.map(\.name)
        var values = ["upstream": upstream]
        for parameter in profile.parameters { values[parameter.name] = parameter.initial }
        for given in use.values {
            guard names.contains(given.name) else {
                given.reportName(
                    "\(profile.label) has no parameter \(Quoted.text(given.name))",
                    hint: Suggestion.hint(for: given.name, among: names, what: "parameters"))
                continue
            }
            if case .scalar(let scalar) = given.value.node.content { values[given.name] = scalar.text }
        }
        for parameter in profile.parameters where values[parameter.name] == nil {
            reference.cursor.report(
                "\(profile.label) needs the parameter \(parameter.name): \(Quoted.plain(parameter.doc))",
                hint: "profile: {name: \(Quoted.plain(reference.value)), with: {\(parameter.name): ...}}")
        }
        guard issues.errorCount == before else { return nil }
        return ProfileTexts(
            values: values,
            secrets: Dictionary(use.secrets.map { ($0.name, $0.value.value) }, uniquingKeysWith: { first, _ in first }))
    }

    private mutating func checkSecrets(_ profile: Profile, _ use: RawProfileUse, _ reference: Placed<String>) {
        let names = profile.secrets.map(\.name)
        for given in use.secrets where !names.contains(given.name) {
            given.reportName(
                "\(profile.label) has no secret \(Quoted.text(given.name))",
                hint: Suggestion.hint(for: given.name, among: names, what: "secrets"))
        }
        let defined = root["secrets"]?.entries.map(\.key) ?? []
        for secret in profile.secrets {
            let renamed = use.secrets.first { $0.name == secret.name }?.value
            let name = renamed?.value ?? secret.name
            guard !defined.contains(name) else { continue }
            missingSecrets.append(
                MissingSecret(
                    name: name, mount: reference.cursor.node.position, cursor: renamed?.cursor ?? reference.cursor,
                    problem: "\(profile.label) needs the secret \(Quoted.plain(name)): \(Quoted.plain(secret.doc))",
                    hint: renamed == nil
                        ? "secrets: {\(secret.name): {file: PATH}}, or another name: "
                            + "profile: {name: \(Quoted.plain(reference.value)), secrets: {\(secret.name): NAME}}"
                        : Suggestion.hint(for: name, among: defined, what: "secrets")))
        }
    }

    /// Puts the parts where they belong, under what the user wrote.
    private mutating func install(_ parts: YAMLNode, _ upstream: YAMLEntry, _ use: RawProfileUse) {
        let name = upstream.key
        let own = upstream.value.removing("profile")
        put(parts["upstream"].map { $0.merged(with: own) } ?? own, under: "upstreams", name, isOver: true)
        let home = YAMLNode.scalar(name, at: use.name?.cursor.node.position ?? upstream.keyPosition)
        if let session = parts["session"], !session.isNull {
            put(session["upstream"] == nil ? session.setting("upstream", to: home) : session, under: "sessions", name)
        }
        for (one, many, section) in [
            ("signature", "signatures", "signatures"), ("envelope", "envelopes", "envelopes"),
        ] {
            if let node = parts[one], !node.isNull { put(node, under: section, name) }
            for entry in parts[many]?.entries ?? [] where !entry.value.isNull {
                put(entry.value, under: section, "\(name)-\(entry.key)")
            }
        }
        guard use.hasRoutes, let list = parts["routes"], !list.isNull else { return }
        var items = [list]
        if case .sequence(let several) = list.content { items = several }
        routes += items.map { route in
            mounted(route["upstream"] == nil ? route.setting("upstream", to: home) : route, under: use.prefix)
        }
    }

    /// The route with its path behind a prefix that the upstream does not see. A route with a rewrite of its own says
    /// itself what the upstream sees.
    private func mounted(_ route: YAMLNode, under prefix: Placed<String>?) -> YAMLNode {
        guard let prefix, let path = route["path"], case .scalar(let pattern) = path.content else { return route }
        let moved = route.setting("path", to: .scalar(prefix.value + pattern.text, at: path.position))
        guard moved["rewrite"] == nil else { return moved }
        let rest = "/${request.path.removePrefix('\(prefix.value)').removePrefix('/')}"
        return moved.setting("rewrite", to: .scalar(rest, at: prefix.cursor.node.position))
    }

    /// - Parameter isOver: the node already holds what the user wrote there.
    private mutating func put(_ node: YAMLNode, under section: String, _ name: String, isOver: Bool = false) {
        var all = root[section] ?? .mapping([], at: node.position)
        if all.isNull { all = .mapping([], at: all.position) }
        // Something that is no mapping is reported when the section is read.
        guard case .mapping = all.content else { return }
        let user = isOver ? nil : all[name]
        all = all.setting(name, to: user.map { $0.isNull ? node : node.merged(with: $0) } ?? node)
        root = root.setting(section, to: all)
    }
}
