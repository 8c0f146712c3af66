/// Finds profiles, bundled ones and files, and merges what they extend.
struct ProfileLibrary {
    /// Longest chain of `extends`.
    static let mostLevels = 8

    let issues: IssueSink
    /// Folder of the config file.
    let folder: String

    /// The profile of a reference. `nil` after an issue, which is shown at the reference.
    func profile(_ reference: Placed<String>) -> Profile? {
        var levels: [(raw: RawProfile, text: ProfileText)] = []
        var seen: Set<String> = []
        var (next, from) = (reference.value, folder)
        while true {
            guard let found = find(next, from: from, reference, isBase: !levels.isEmpty) else { return nil }
            let isNew = seen.insert(found.key).inserted
            guard isNew, levels.count < ProfileLibrary.mostLevels else {
                let names = isNew ? "extends too many others" : "extends itself"
                reference.cursor.report("\(levels[0].text.label) \(names)", hint: "at \(Quoted.text(next))")
                return nil
            }
            guard let level = read(found, reference) else { return nil }
            levels.append(level)
            guard let base = level.raw.base?.value else { break }
            (next, from) = (base, found.folder)
        }
        return merge(levels, mount: reference.cursor.node.position)
    }

    private struct Found {
        var label: String
        var bytes: [UInt8]
        /// Of the file, for what it extends in turn.
        var folder: String
        /// What tells it from others.
        var key: String
    }

    private func find(_ name: String, from folder: String, _ reference: Placed<String>, isBase: Bool) -> Found? {
        if ProfileLibrary.isPath(name) {
            let path = FilePath.resolve(name.hasPrefix("./") ? String(name.dropFirst(2)) : name, in: folder)
            guard let bytes = contents(path, reference) else { return nil }
            return Found(
                label: "profile \(Quoted.plain(name))", bytes: bytes, folder: FilePath.folder(of: path), key: path)
        }
        if let bundled = BundledProfile.named(name) {
            let label = "profile \(bundled.name)"
            return Found(label: label, bytes: Array(bundled.text.utf8), folder: folder, key: "\u{0}" + name)
        }
        let nearest = Suggestion.nearest(to: name, among: BundledProfile.all.map(\.name))
        let hint =
            (nearest.map { "did you mean \($0)? " } ?? "") + "countersign profiles lists them; an own one is a path"
        reference.cursor.report("no profile named \(Quoted.text(name))\(isBase ? " to extend" : "")", hint: hint)
        return nil
    }

    /// A name is never a path: paths hold a slash or end like a YAML file.
    private static func isPath(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    private func contents(_ path: String, _ reference: Placed<String>) -> [UInt8]? {
        do throws(FileFault) {
            let file = try FileReader.read(path, followsLink: true, limit: YAMLDocument.largestFile)
            if file.status.isWritableByOthers {
                // As for the config: who can write it can send the credentials anywhere.
                reference.cursor.report("group or others can write this profile", hint: "chmod go-w")
            }
            let isMarked = file.bytes.starts(with: [0xEF, 0xBB, 0xBF])
            return isMarked ? Array(file.bytes.dropFirst(3)) : file.bytes
        } catch {
            reference.cursor.report(
                "the profile cannot be read: \(error == .tooLarge ? "larger than 1 MiB" : error.problem)")
            return nil
        }
    }

    private func read(_ found: Found, _ reference: Placed<String>) -> (raw: RawProfile, text: ProfileText)? {
        let source = SourceText(bytes: found.bytes)
        let mount = reference.cursor.node.position
        let text = ProfileText(label: found.label, source: source, mount: mount)
        let inner = IssueSink(file: found.label, source: source)
        let root = YAMLDocument(parsing: source, issues: inner).root
        let raw = root.flatMap { RawProfile.section.read(Cursor(node: $0, path: "", issues: inner)) }
        for issue in inner.sorted {
            let position = SourcePosition(line: issue.line, column: issue.column, profile: text)
            let path = issue.path.isEmpty ? "" : "\(issue.path): "
            issues.report(
                path + issue.problem, hint: issue.hint, at: position, path: reference.cursor.path,
                severity: issue.severity)
        }
        guard !inner.hasErrors, let root, var raw else { return nil }
        // The table counts null as not written; here it takes away what the base has.
        for part in RawProfile.parts where root[part] != nil { raw.nodes[part] = root[part] }
        return (raw, text)
    }

    /// The last level is the base.
    private func merge(_ levels: [(raw: RawProfile, text: ProfileText)], mount: SourcePosition) -> Profile {
        var profile = Profile(
            label: levels[0].text.label, parameters: [], secrets: [], parts: .mapping([], at: mount))
        for (raw, text) in levels.reversed() {
            for parameter in raw.parameters {
                set(parameter.fact, parameter.name, in: &profile.parameters)
            }
            for secret in raw.secrets { set(secret.fact, secret.name, in: &profile.secrets) }
            let entries = RawProfile.parts.compactMap { part in
                raw.nodes[part].map { YAMLEntry(key: part, keyPosition: mount, value: $0.placed(in: text)) }
            }
            profile.parts = profile.parts.merged(with: .mapping(entries, at: mount))
        }
        return profile
    }

    /// An entry under a known name changes what it says; none takes it away.
    private func set(_ entry: ProfileFacts.Entry?, _ name: String, in entries: inout [ProfileFacts.Entry]) {
        let index = entries.firstIndex { $0.name == name }
        switch (index, entry) {
        case (let index?, let entry?):
            entries[index].initial = entry.initial ?? entries[index].initial
            if !entry.doc.isEmpty { entries[index].doc = entry.doc }
        case (let index?, nil): entries.remove(at: index)
        case (nil, let entry?): entries.append(entry)
        case (nil, nil): break
        }
    }
}
