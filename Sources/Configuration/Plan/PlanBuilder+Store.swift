import Cryptography
import Domain
import Expressions

extension PlanBuilder {
    /// A key is not stretched, so it must be one that nobody can guess: as long as AES-128's.
    private static let shortestKey = 16

    func store(_ session: Named<RawSession>, plan: SessionPlan, identity: [UInt8]) -> StorePlan? {
        guard let placed = session.value.store, let file = placed.value.file, let cursor = placed.value.key else {
            return nil
        }
        if plan.renewal.source != nil || !plan.hasLogin {
            placed.cursor.report("there is nothing to keep: the session has no login of its own", hint: "drop store")
        }
        let path = FilePath.resolve(file.value, in: folder)
        if let use = otherUse(of: path, than: session.name) { file.cursor.report(use) }
        if FileReader.status(ofFolder: FilePath.folder(of: path)) == nil {
            file.cursor.report(
                "there is no folder \(Quoted.text(FilePath.folder(of: path)))", hint: "make it", severity: .warning)
        }
        guard let template = compiler.template(cursor, in: scopes.request()) else { return nil }
        guard case .scalar(let scalar) = cursor.node.content, let name = template.references.first?.member,
            template.references == [Reference("secret", name)], scalar.text == "${secret.\(name)}"
        else {
            cursor.report("is the name of a secret and nothing else", hint: "${secret.NAME}")
            return nil
        }
        // A secret that could not be read is an issue already.
        guard let key = secretValues[name] else { return nil }
        guard key.count >= PlanBuilder.shortestKey else {
            cursor.report("the secret is shorter than 16 bytes", hint: "openssl rand -base64 32")
            return nil
        }
        return StorePlan(path: path, key: key, binding: storeBinding(session, plan, identity: identity))
    }

    /// The file would be replaced by each login: nobody else may have it.
    private func otherUse(of path: String, than session: String) -> String? {
        let path = FilePath.normal(path)
        func isSame(_ other: String?) -> Bool {
            other.map { FilePath.normal(FilePath.resolve($0, in: folder)) == path } ?? false
        }
        for other in raw.sessions {
            if other.name != session, isSame(other.value.store?.value.file?.value) {
                return "two sessions cannot share a file"
            }
            if isSame(other.value.token?.value.file) { return "is the token file of session \(other.name)" }
        }
        return raw.secrets.first { isSame($0.value.file) }.map { "is the file of secret \($0.name)" }
    }
}
