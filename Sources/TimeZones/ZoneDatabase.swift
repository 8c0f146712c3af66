import Glibc
import Synchronization

/// The system's zones by name, read once each.
package final class ZoneDatabase: Sendable {
    package static let shared = ZoneDatabase(folder: "/usr/share/zoneinfo")
    /// There are about 600 names.
    private static let limit = 1000
    private static let fileLimit = 65_536

    private let folder: String
    private let known = Mutex<[String: TimeZone]>([:])

    package init(folder: String) { self.folder = folder }

    /// Whether there is a database at all (the package `tzdata`).
    package var isInstalled: Bool { Self.contents(of: folder + "/UTC", limit: Self.fileLimit) != nil }

    /// A zone by its name in the database: `Asia/Shanghai`; `nil` when there is none.
    package func zone(_ name: String) -> TimeZone? {
        if let zone = known.withLock({ $0[name] }) { return zone }
        guard Self.isName(name), let bytes = Self.contents(of: folder + "/" + name, limit: Self.fileLimit),
            let zone = TimeZone(bytes)
        else { return nil }
        known.withLock { known in if known.count < Self.limit { known[name] = zone } }
        return zone
    }

    /// Nothing that leads out of the folder: a name may be made of a request's data.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                part.first?.isLetter == true
                    && part.utf8.allSatisfy { byte in
                        (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte >= 0x30 && byte <= 0x39
                            || "_-+".utf8.contains(byte)
                    }
            }
    }

    private static func contents(of path: String, limit: Int) -> [UInt8]? {
        // O_NONBLOCK: whatever lies there must not hang the loop.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let space = limit - filled
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), space)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return Array(bytes.prefix(filled)) }
            filled += count
        }
        return nil
    }
}
