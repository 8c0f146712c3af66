import Bytes
import Cryptography
import Domain
import Expressions

/// Keys that the file or its secrets hold are tried while it is loaded: one that cannot be read, is encrypted or is of
/// another kind would fail every request.
extension PlanBuilder {
    /// - Parameter scheme: `nil`: the key is a shared secret, and any text is one.
    func checkKey(_ cursor: Cursor?, _ template: Template?, for scheme: SignatureScheme?) {
        guard let scheme else { return }
        check(cursor, template) { key throws(EvaluationError) in
            let key = try KeyCache.shared.privateKey(key)
            do throws(CryptographyError) {
                _ = try key.sign(Array("sample".utf8).span, scheme)
            } catch {
                throw EvaluationError(.failed, error.description)
            }
        }
    }

    /// - Parameter algorithm: as in the header of a JWT.
    func checkKey(_ cursor: Cursor?, _ template: Template?, for algorithm: JOSE.Algorithm) {
        check(cursor, template) { key throws(EvaluationError) in
            _ = try JOSE.compact(algorithm, key: key, header: [0x7B, 0x7D], payload: [0x7B, 0x7D])
        }
    }

    private func check(
        _ cursor: Cursor?, _ template: Template?, _ use: (ArraySlice<UInt8>) throws(EvaluationError) -> Void
    ) {
        guard let cursor, let template, let key = known(template) else { return }
        let position = cursor.node.position
        guard triedKeys.insert([position.line, position.column]).inserted else { return }
        do throws(EvaluationError) {
            try use(key[...])
        } catch {
            cursor.report(
                "is no key that can be used here: \(error.subject.isEmpty ? error.description : error.subject)")
        }
    }

    /// The text of a template that is made of secrets alone; `nil` for others, and where a secret could not be read.
    private func known(_ template: Template) -> [UInt8]? {
        guard template.references.allSatisfy({ $0.name == "secret" }),
            raw.secrets.allSatisfy({ secretValues[$0.name] != nil })
        else { return nil }
        let secrets = raw.secrets.compactMap { named in
            secretValues[named.name].map { NamedSecret(name: named.name, value: $0) }
        }
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: (0, 0), surroundings: Surroundings(secrets: secrets, device: []))
        var text: [UInt8] = []
        return (try? template.append(to: &text, scope)).map { text }
    }
}
