import Configuration
import Domain

/// Notices that a token file has changed. Looked at when a request comes, at most four times a second: one `fstat` and no
/// wake-up while nothing happens.
final class TokenFileWatch {
    private static let interval: UInt64 = 250_000_000

    private let path: String
    /// `nil`: there was no file.
    private var seen: FileStatus.Stamp?
    private var isNoted = false
    private var lookedAt: UInt64 = 0

    /// `nil`: the source is no file.
    init?(_ source: TokenSource) {
        guard case .file(let path) = source.place else { return nil }
        self.path = path
    }

    /// The file is about to be read.
    func note() { (seen, isNoted) = (TokenFile.stamp(path), true) }

    /// True once for each change since it was read.
    func hasChanged(_ now: UInt64) -> Bool {
        guard isNoted, now &- lookedAt >= Self.interval else { return false }
        lookedAt = now
        // A file that goes away leaves the token that it gave.
        guard let stamp = TokenFile.stamp(path), stamp != seen else { return false }
        seen = stamp
        return true
    }
}
