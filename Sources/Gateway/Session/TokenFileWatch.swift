import Configuration
import Domain

/// Notices that a token file has changed. Looked at when a request comes, at most four times a second: one `fstat` and no
/// wake-up while nothing happens.
final class TokenFileWatch {
    private static let interval: UInt64 = 250_000_000

    private let path: String
    private var seen: FileStatus.Stamp?
    private var lookedAt: UInt64 = 0

    /// `nil`: the source is no file.
    init?(_ source: TokenSource) {
        guard case .file(let path) = source.place else { return nil }
        self.path = path
    }

    /// The file is about to be read.
    func note() { seen = TokenFile.stamp(path) }

    /// True once for each change since it was read.
    func hasChanged(_ now: UInt64) -> Bool {
        guard let seen, now &- lookedAt >= Self.interval else { return false }
        lookedAt = now
        guard let stamp = TokenFile.stamp(path), stamp != seen else { return false }
        self.seen = stamp
        return true
    }
}
