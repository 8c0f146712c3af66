package import Cryptography

/// Where a session is kept across restarts (`store:`).
package struct StorePlan: Sendable {
    package let path: String
    package let key: Secret
    /// Digest of what the stored credential belongs to: session, upstream, login recipe and the secrets in it. A box that
    /// was sealed for another is ignored.
    package let binding: [UInt8]

    package init(path: String, key: Secret, binding: [UInt8]) {
        self.path = path
        self.key = key
        self.binding = binding
    }
}
