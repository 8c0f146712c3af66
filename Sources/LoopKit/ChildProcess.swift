import CLoopShims
import Glibc

/// A program that is run for what it prints. Never blocks the loop; bounded in time and in output. Its standard input and
/// error output are `/dev/null`.
package final class ChildProcess {
    package enum End: Equatable {
        /// What it printed, and exit code 0.
        case output([UInt8])
        /// It could not be started: errno.
        case notStarted(Int32)
        /// Exit code, or 128 and the number of the signal.
        case failed(Int32)
        case timedOut
        case tooMuchOutput
    }

    /// Between two looks at a child that has closed its output but not ended.
    private static let reapInterval: UInt64 = 5_000_000

    private let loop: EventLoop
    private let limit: Int
    private let onEnd: (End) -> Void
    private var pid: Int32 = 0
    private var descriptor: Int32 = -1
    private var watch: DescriptorWatch?
    private var output: [UInt8] = []
    private var isOver = false
    private var outcome: End?
    private lazy var deadline = loop.timer { [weak self] in self?.stop(.timedOut) }
    /// Holds its owner while it is set: a child that was cancelled must be reaped too.
    private var reaper: LoopTimer?

    /// Starts it. `onEnd` is called once, from the loop, unless `cancel` comes first.
    /// - Parameters:
    ///   - arguments: The first is the program: a path, or a name that is looked for in `PATH`.
    ///   - time: Nanoseconds; then it and all of its process group are killed.
    ///   - limit: Most bytes of output; above, killed.
    package init(
        loop: EventLoop, arguments: [String], time: UInt64, limit: Int, onEnd: @escaping (End) -> Void
    ) {
        self.loop = loop
        self.limit = limit
        self.onEnd = onEnd
        let fault = spawn(arguments)
        guard fault == 0 else {
            loop.atEndOfTick { [self] in finish(.notStarted(-fault)) }
            return
        }
        let watch = DescriptorWatch(loop: loop, descriptor: descriptor) { [weak self] _, _ in self?.readable() }
        self.watch = watch
        watch.update(read: true, write: false)
        deadline.arm(after: time)
    }

    deinit {
        closeOutput()
    }

    /// Kills it; nobody is told.
    package func cancel() {
        guard !isOver else { return }
        isOver = true
        stop(.timedOut)
    }

    private func spawn(_ arguments: [String]) -> Int32 {
        guard !arguments.isEmpty, !arguments.contains(where: { $0.utf8.contains(0) }) else { return -EINVAL }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe gw_spawn(pointers, &pid, &descriptor)
    }

    private func readable() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while outcome == nil {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else {
                closeOutput()
                return reap()
            }
            output.append(contentsOf: buffer[..<count])
            if output.count > limit { stop(.tooMuchOutput) }
        }
    }

    /// Killed, then waited for, so that no zombie stays.
    private func stop(_ end: End) {
        guard outcome == nil, pid > 0 else { return }
        outcome = end
        gw_kill_group(pid)
        closeOutput()
        reap()
    }

    private func reap() {
        let code = gw_reap(pid)
        guard code >= 0 else {
            let timer = reaper ?? loop.timer { [self] in reap() }
            reaper = timer
            return timer.arm(after: Self.reapInterval)
        }
        finish(outcome ?? (code == 0 ? .output(output) : .failed(code)))
    }

    private func closeOutput() {
        watch?.update(read: false, write: false)
        watch = nil
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func finish(_ end: End) {
        deadline.cancel()
        // Not from inside the timer's own call.
        if reaper != nil { loop.atEndOfTick { [self] in reaper = nil } }
        guard !isOver else { return }
        isOver = true
        onEnd(end)
    }
}
