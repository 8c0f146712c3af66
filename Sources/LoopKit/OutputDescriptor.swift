import Glibc

/// A file or standard stream. `write` waits (commands); `offer` never does (the daemon's loop): what a reader does not take is
/// kept up to a limit, then whole writes are lost and counted.
package final class OutputDescriptor {
    private let descriptor: Int32
    private let isOwned: Bool
    /// Lines that were lost: disk full, reader gone or asleep.
    package private(set) var lostLines: UInt64 = 0
    private var watch: DescriptorWatch?

    private init(_ descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    package static var standardOutput: OutputDescriptor { OutputDescriptor(1, isOwned: false) }
    package static var standardError: OutputDescriptor { OutputDescriptor(2, isOwned: false) }

    /// A person is looking; false for files and pipes.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Opens for appending, made with mode 0600 when it is new. Never waits: a FIFO that nobody reads is an error (ENXIO).
    package static func appending(to path: String) throws(LoopError) -> OutputDescriptor {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw LoopError("open \(path)", code: errno) }
        return OutputDescriptor(descriptor, isOwned: true)
    }

    /// What waits is written as soon as there is room, not only with the next line.
    package func watch(on loop: EventLoop) {
        watch = DescriptorWatch(loop: loop, descriptor: descriptor) { [unowned self] _, _ in drain() }
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
                lose(bytes[start...])
                return
            }
            start += wrote
        }
    }

    /// Most bytes that wait for a reader that does not read.
    private static let waitingLimit = 1024 * 1024
    /// A pipe that polls as writable takes this much without waiting (POSIX PIPE_BUF).
    private static let pieceLimit = 4096

    private var waiting: [UInt8] = []

    /// Takes the bytes, or loses and counts them when too much waits already.
    package func offer(_ bytes: [UInt8]) {
        if waiting.count + bytes.count > Self.waitingLimit {
            lose(bytes[...])
        } else {
            waiting.append(contentsOf: bytes)
        }
        drain()
    }

    /// Writes what waits, as far as that is possible at once.
    package func drain() {
        var start = 0
        while start < waiting.count, isWritable {
            let count = min(Self.pieceLimit, waiting.count - start)
            let wrote = unsafe waiting.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress! + start, count)
            }
            if wrote < 0, errno == EINTR { continue }
            if wrote < 0, errno == EAGAIN { break }
            guard wrote > 0 else {
                lose(waiting[start...])
                start = waiting.count
                break
            }
            start += wrote
        }
        waiting.removeFirst(start)
        // A file never makes anything wait, so epoll, which takes no files, is not asked.
        watch?.update(read: false, write: !waiting.isEmpty)
    }

    /// Nobody will read what waits: it counts as lost.
    package func abandon() {
        drain()
        lose(waiting[...])
        waiting = []
        watch?.update(read: false, write: false)
    }

    private func lose(_ bytes: ArraySlice<UInt8>) { lostLines += UInt64(bytes.count { $0 == 0x0A }) }

    private var isWritable: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&state, 1, 0) > 0
    }

    deinit {
        watch = nil
        if isOwned { _ = close(descriptor) }
    }
}
