import Configuration
import Cryptography
import Domain
import LoopKit

/// The sealed file of one session. Whatever goes wrong with it is told (log, `/health`) and costs a login, no request.
///
/// Reading and writing wait for the disk, on the loop: a few KiB, once at the start and once for each login, which are
/// seconds apart at best.
final class SessionStore {
    /// As `/health` has them.
    enum State: Equatable {
        /// There is nothing yet.
        case empty
        /// The file holds the newest credential.
        case saved
        /// What is there cannot be used; the next login replaces it.
        case ignored(String)
        /// The newest credential is not on disk.
        case failed(String)

        var word: StaticString {
            switch self {
            case .empty: "empty"
            case .saved: "saved"
            case .ignored: "ignored"
            case .failed: "failed"
            }
        }

        var problem: String? {
            switch self {
            case .empty, .saved: nil
            case .ignored(let problem), .failed(let problem): problem
            }
        }
    }

    private(set) var state = State.empty
    private let plan: StorePlan

    init(_ plan: StorePlan) { self.plan = plan }

    /// What was saved last, if it can be used.
    func load() -> SessionRecord? {
        do throws(TokenFile.Problem) {
            let box = try TokenFile.read(plan.path, limit: 1024 * 1024).text
            guard let record = SessionRecord(try open(box)) else {
                throw TokenFile.Problem(detail: "\(plan.path) holds no session of this version")
            }
            state = .saved
            return record
        } catch {
            state = error.isMissing ? .empty : .ignored(error.detail)
            return nil
        }
    }

    private func open(_ box: [UInt8]) throws(TokenFile.Problem) -> [UInt8] {
        do throws(SealedBox.Fault) {
            return try SealedBox.open(box, key: plan.key, context: plan.binding)
        } catch {
            let reason =
                switch error {
                case .notABox: "is no sealed session"
                case .wrongKey: "was sealed with another key"
                case .otherContext: "belongs to another login: the config has changed since"
                case .changed: "was changed after it was sealed"
                }
            throw TokenFile.Problem(detail: "\(plan.path) \(reason)")
        }
    }

    /// Before the credential is used: a server that keeps the old refresh token until the new credential is seen then
    /// loses nothing in a crash.
    func save(_ record: SessionRecord) {
        do {
            let box = try SealedBox.seal(record.bytes, key: plan.key, context: plan.binding)
            try ReplacedFile.write(box, to: plan.path)
            state = .saved
        } catch {
            state = .failed("\(error)")
        }
    }

    /// The upstream refused all that there is.
    func forget() {
        do throws(LoopError) {
            try ReplacedFile.remove(plan.path)
            state = .empty
        } catch {
            state = .failed("\(error)")
        }
    }
}
