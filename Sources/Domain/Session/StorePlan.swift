package import Cryptography

/// Where a session is kept across restarts (`store:`).
package struct StorePlan: Sendable, Equatable {
    package let path: String
    package let key: Secret
    /// `SessionPlan.identity`: a box that was sealed for another is ignored.
    package let binding: [UInt8]

    package init(path: String, key: Secret, binding: [UInt8]) {
        self.path = path
        self.key = key
        self.binding = binding
    }
}
