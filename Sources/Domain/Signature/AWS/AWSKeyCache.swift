import Bytes
import Cryptography
import Synchronization

/// The derived key of one signer: it holds for a day, and deriving it costs as much as all the rest of a signature.
package final class AWSKeyCache: Sendable {
    private struct Entry {
        var scope: [UInt8]
        var secretCount: Int
        /// The secret that the key was derived from, and behind it the key: in pages that no core dump holds.
        var bytes: Secret
    }

    private let entry = Mutex<Entry?>(nil)

    package init() {}

    /// The key for this secret and scope (`20130524/us-east-1/s3/aws4_request`), derived when it is another than last time.
    func key(secret: [UInt8], scope: [UInt8], derive: () -> [UInt8]) -> [UInt8] {
        let known: [UInt8]? = entry.withLock { entry in
            guard let entry, entry.scope == scope, entry.secretCount == secret.count else { return nil }
            return entry.bytes.withBytes { bytes in
                guard ConstantTime.equal(bytes.extracting(0..<secret.count), secret.span) else { return nil }
                var key: [UInt8] = []
                key.append(copying: bytes.extracting(secret.count..<bytes.count))
                return key
            }
        }
        if let known { return known }
        let key = derive()
        let both = secret + key
        let kept = Entry(scope: scope, secretCount: secret.count, bytes: Secret(copying: both.span))
        entry.withLock { $0 = kept }
        return key
    }
}
