import Bytes
import Cryptography
import Domain

/// A digest over text and secrets together: SHA-256, so that nothing can be read back.
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

    func add(_ text: String) { add(Array(text.utf8)) }

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
