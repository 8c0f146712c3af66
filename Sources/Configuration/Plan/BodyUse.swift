import Domain
import Expressions

/// Whether expressions look at a body: then it must be held, and cannot just pass through.
enum BodyUse {
    static func ofRequest(_ references: some Sequence<Reference>) -> Bool {
        references.contains { $0.readsRequestBody }
    }

    static func ofResponse(_ references: some Sequence<Reference>) -> Bool {
        references.contains { $0.readsResponseBody }
    }
}
