import Glibc

/// A file or standard stream that finished lines are written to. Blocking: the kernel buffers files and pipes, and a log
/// reader that stalls must be seen, not papered over with memory.
package final class OutputDescriptor {
    private let descriptor: Int32
    private let isOwned: Bool
    /// Writes that failed (disk full, reader gone); the lines are lost and counted.
    package private(set) var failures: UInt64 = 0

    private init(_ descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    package static var standardOutput: OutputDescriptor { OutputDescriptor(1, isOwned: false) }
    package static var standardError: OutputDescriptor { OutputDescriptor(2, isOwned: false) }

    /// A person is looking; false for files and pipes.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Opens for appending, made with mode 0600 when it is new; nil when that fails.
    package static func appending(to path: String) -> OutputDescriptor? {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return descriptor < 0 ? nil : OutputDescriptor(descriptor, isOwned: true)
    }

    /// Writes all of it, or counts a failure.
    package func write(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let wrote = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress! + start, buffer.count - start)
            }
            if wrote < 0, errno == EINTR || errno == EAGAIN { continue }
            guard wrote > 0 else {
                failures += 1
                return
            }
            start += wrote
        }
    }

    deinit { if isOwned { _ = close(descriptor) } }
}
