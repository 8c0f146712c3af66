import Glibc

/// Reads small files. All checks are made on the open descriptor, so that nothing can be swapped in between.
enum FileReader {
    /// - Parameter followsLink: false refuses a symbolic link as the last part of the path.
    /// - Parameter check: looks at the open file before a byte is read; throws what it does not like.
    static func read(
        _ path: String, followsLink: Bool, limit: Int, check: (FileStatus) -> FileFault? = { _ in nil }
    ) throws(FileFault) -> (bytes: [UInt8], status: FileStatus) {
        // NUL would cut the path short.
        guard !path.utf8.contains(0) else { throw .missing }
        // O_NONBLOCK: opening a FIFO must not hang; it is refused by the status below.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
        let descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else { throw fault() }
        defer { close(descriptor) }
        guard let status = status(of: descriptor) else { throw .unreadable }
        guard status.isRegular else { throw .notRegular }
        if let fault = check(status) { throw fault }
        return (try contents(of: descriptor, limit: limit), status)
    }

    /// Status of a folder, links followed.
    static func status(ofFolder path: String) -> FileStatus? {
        guard !path.utf8.contains(0) else { return nil }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return status(of: descriptor)
    }

    /// Why lines could not be appended to a file; `nil`: they can. Makes no file, whose owner might be the wrong one, and opens
    /// no FIFO, whose reader would see an end.
    static func appendProblem(_ path: String) -> String? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else { return "cannot be looked at: permission denied, or no folder" }
            let mayCreate = unsafe faccessat(AT_FDCWD, FilePath.folder(of: path), W_OK | X_OK, AT_EACCESS) == 0
            return mayCreate ? nil : "cannot be made: its folder is missing or not writable"
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFCHR, S_IFIFO:
            return unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? nil : "is not writable"
        case S_IFLNK: return "is a symbolic link"
        case S_IFDIR: return "is a folder"
        default: return "is no file"
        }
    }

    /// The user that this process acts as.
    static var effectiveUser: UInt32 { geteuid() }

    private static func contents(of descriptor: Int32, limit: Int) throws(FileFault) -> [UInt8] {
        // One allocation of the largest size: growing would leave copies of a secret on the heap.
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let space = bytes.count - filled
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), space)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw fault()
            }
            if count == 0 { break }
            filled += count
        }
        guard filled <= limit else { throw .tooLarge }
        bytes.removeSubrange(filled...)
        return bytes
    }

    private static func status(of descriptor: Int32) -> FileStatus? {
        var info = stat()
        guard unsafe fstat(descriptor, &info) == 0 else { return nil }
        return FileStatus(
            owner: info.st_uid, mode: info.st_mode & 0o7777, isRegular: info.st_mode & S_IFMT == S_IFREG,
            isDirectory: info.st_mode & S_IFMT == S_IFDIR,
            stamp: FileStatus.Stamp(
                inode: UInt64(info.st_ino), size: Int64(info.st_size),
                modified: Int64(info.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(info.st_mtim.tv_nsec)))
    }

    private static func fault() -> FileFault {
        switch errno {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM: .notPermitted
        case ELOOP: .isLink
        default: .unreadable
        }
    }
}
