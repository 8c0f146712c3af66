import Glibc

/// A small private file that is replaced as a whole: whoever reads it, also after a crash or a power cut at any moment, finds
/// the old content or the new one.
package enum ReplacedFile {
    /// Writes a new file (mode 0600) beside the old one, brings it to the disk, renames it over the old one and brings the
    /// folder to the disk. Waits for the disk: for files of some KiB that change rarely.
    package static func write(_ bytes: [UInt8], to path: String) throws(LoopError) {
        guard !path.utf8.contains(0) else { throw LoopError("write a file", code: EINVAL) }
        let (folder, name) = split(path)
        let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw LoopError("open the folder \(folder)", code: errno) }
        defer { close(directory) }
        let fresh = ".\(name).new"
        // Left over by a crash.
        _ = unsafe unlinkat(directory, fresh, 0)
        do throws(LoopError) {
            try make(fresh, in: directory, bytes, for: path)
            guard unsafe renameat(directory, fresh, directory, name) == 0 else {
                throw LoopError("rename to \(path)", code: errno)
            }
        } catch {
            _ = unsafe unlinkat(directory, fresh, 0)
            throw error
        }
        guard fsync(directory) == 0 else { throw LoopError("sync the folder of \(path)", code: errno) }
    }

    /// Something stands there that is not one of these files: no regular file, or one with bytes in it that begins
    /// otherwise. One that cannot be looked into may be anything. Links are followed.
    package static func isForeign(_ path: String, magic: [UInt8]) -> Bool {
        guard !path.utf8.contains(0) else { return false }
        // O_NONBLOCK: opening a FIFO must not hang.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return errno != ENOENT && errno != ENOTDIR }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return true }
        if status.st_size == 0 { return false }
        var head = [UInt8](repeating: 0, count: magic.count)
        let count = unsafe head.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return count != magic.count || head != magic
    }

    /// Nothing is there afterwards; also when nothing was.
    package static func remove(_ path: String) throws(LoopError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw LoopError("remove \(path)", code: errno) }
    }

    private static func make(
        _ name: String, in directory: Int32, _ bytes: [UInt8], for path: String
    ) throws(LoopError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe openat(directory, name, flags, 0o600)
        guard descriptor >= 0 else { throw LoopError("make a file beside \(path)", code: errno) }
        defer { close(descriptor) }
        // The umask may have taken more than it should.
        guard fchmod(descriptor, 0o600) == 0 else { throw LoopError("set the mode of \(path)", code: errno) }
        var start = 0
        while start < bytes.count {
            let wrote = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
            }
            if wrote < 0, errno == EINTR { continue }
            guard wrote > 0 else { throw LoopError("write \(path)", code: wrote < 0 ? errno : ENOSPC) }
            start += wrote
        }
        guard fsync(descriptor) == 0 else { throw LoopError("sync \(path)", code: errno) }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }
}
