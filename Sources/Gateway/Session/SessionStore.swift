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
    /// The file as it was read or written last.
    private var stamp: FileStatus.Stamp?

    init(_ plan: StorePlan) { self.plan = plan }

    /// What somebody else has saved meanwhile: a login that was under way when a reload came belongs to the old plan.
    func loadIfChanged() -> SessionRecord? { TokenFile.stamp(plan.path) == stamp ? nil : load() }

    /// What was saved last, if it can be used.
    func load() -> SessionRecord? {
        do throws(TokenFile.Problem) {
            let (box, stamp) = try TokenFile.read(plan.path, limit: 1024 * 1024)
            self.stamp = stamp
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

    /// Somebody else's file stands in the place: a path that was mistyped must not cost a key or a diary.
    private var isTaken: Bool { ReplacedFile.isForeign(plan.path, magic: SealedBox.magic) }

    /// Before the credential is used: a server that keeps the old refresh token until the new credential is seen then
    /// loses nothing in a crash.
    func save(_ record: SessionRecord) {
        guard !isTaken else {
            state = .failed("\(plan.path) is no sealed session, and is not replaced")
            return
        }
        do {
            let box = try SealedBox.seal(record.bytes, key: plan.key, context: plan.binding)
            try ReplacedFile.write(box, to: plan.path)
            stamp = TokenFile.stamp(plan.path)
            state = .saved
        } catch {
            state = .failed("\(error)")
        }
    }

    /// The upstream refused all that there is. A file that was not used stays: it may fit again when a mistake in the
    /// config is mended.
    func forget() {
        if case .ignored = state { return }
        if isTaken { return }
        do throws(LoopError) {
            try ReplacedFile.remove(plan.path)
            (state, stamp) = (.empty, nil)
        } catch {
            state = .failed("\(error)")
        }
    }
}
