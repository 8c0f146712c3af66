import Bytes
import Cryptography
import Domain

/// Digest of everything that an upstream or a session is made of, so that a reload can tell what changed. Holds no value of
/// a secret that could be read back: SHA-256 over text and secrets together.
struct Fingerprint {
    private let digest = Digest.Incremental(.sha256)

    func add(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar): add(Array(scalar.text.utf8))
        case .sequence(let nodes):
            add([0x5B])
            for node in nodes { add(node) }
            add([0x5D])
        case .mapping(let entries):
            add([0x7B])
            for entry in entries {
                add(Array(entry.key.utf8))
                add(entry.value)
            }
            add([0x7D])
        }
    }

    func add(_ secret: Secret) { secret.withBytes { digest.update($0) } }

    /// With its length, so that two texts cannot be shifted into each other.
    func add(_ bytes: [UInt8]) {
        var length: [UInt8] = []
        length.append(decimal: UInt64(bytes.count))
        length.append(0x3A)
        digest.update(length.span)
        digest.update(bytes.span)
    }

    var value: [UInt8] { digest.finish() }
}

extension PlanBuilder {
    /// Of one upstream: its section, the files that it names, and the secrets its proxy needs. Called when the files were
    /// read: a renewed certificate lies under the old path.
    func fingerprint(upstream index: Int) -> [UInt8] {
        let fingerprint = Fingerprint()
        fingerprint.add(raw.upstreams[index].cursor.node)
        let tls = raw.upstreams[index].value.tls?.value
        for path in [tls?.authorityFile, tls?.clientCertificate, tls?.clientKey] {
            fingerprint.add(path.flatMap { fileDigests[FilePath.resolve($0, in: folder)] } ?? [])
        }
        addSecrets(to: fingerprint)
        return fingerprint.value
    }

    /// Of one session: its section, the upstreams that its login talks to, every signature (a login may be signed) and every secret.
    func fingerprint(session index: Int, upstreams: [Int]) -> [UInt8] {
        let fingerprint = Fingerprint()
        fingerprint.add(raw.sessions[index].cursor.node)
        for upstream in upstreams { fingerprint.add(raw.upstreams[upstream].cursor.node) }
        for signature in raw.signatures { fingerprint.add(signature.cursor.node) }
        addSecrets(to: fingerprint)
        return fingerprint.value
    }

    private func addSecrets(to fingerprint: Fingerprint) {
        for secret in raw.secrets {
            fingerprint.add(Array(secret.name.utf8))
            if let value = secretValues[secret.name] { fingerprint.add(value) }
        }
    }
}
