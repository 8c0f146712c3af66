import CLoopShims
import Glibc

/// What the process sets up once at start, before any secret is read.
package enum HostProcess {
    /// The Swift runtime's crash handler prints memory around registers (a piece of a token was seen in a report), so
    /// fatal signals go back to their defaults; a broken pipe is an error code, not a death.
    package static func setSignals() {
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] { gw_signal_default(number) }
        gw_signal_ignore(SIGPIPE)
        // A log or a store that meets a limit on file sizes is an error of that write, not the end of the process.
        gw_signal_ignore(SIGXFSZ)
    }

    /// No core file, no ptrace or /proc/PID/mem by the same user. False when the kernel refused either.
    @discardableResult
    package static func forbidDumps() -> Bool {
        let core = gw_no_core()
        let dumpable = gw_not_dumpable()
        return core == 0 && dumpable == 0
    }

    /// Open files allowed now and at most (RLIMIT_NOFILE).
    package static var descriptorLimit: (soft: UInt64, hard: UInt64) {
        var (soft, hard): (UInt64, UInt64) = (0, 0)
        _ = unsafe gw_nofile(&soft, &hard)
        return (soft, hard)
    }

    /// Raises (or lowers) the soft limit towards `wanted`, capped by the hard one. Returns what holds afterwards.
    @discardableResult
    package static func setDescriptorLimit(_ wanted: UInt64) -> UInt64 {
        let hard = descriptorLimit.hard
        _ = gw_set_nofile(min(wanted, hard), hard)
        return descriptorLimit.soft
    }

    /// Bytes that malloc has handed out and not got back, of all arenas. Only the tests for leaks ask; it stands here because
    /// the shim that it needs does.
    package static var heapInUse: UInt64 { gw_heap_in_use() }
}
