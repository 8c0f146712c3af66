// Beside Glibc: which of the two modules owns `timespec` depends on what was compiled before.
import CLoopShims
import Glibc

/// Standard input, for a question to the person at the terminal.
package enum InputDescriptor {
    /// Longest line that is taken: tokens are pasted here.
    private static let longest = 16 * 1024

    /// One line without its end; `nil` at the end of the input.
    package static func line() -> [UInt8]? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < longest {
            let count = unsafe read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return line.isEmpty ? nil : line }
            if byte == 0x0A { return line }
            line.append(byte)
        }
        return line
    }
}

extension HostProcess {
    /// Sleeps so many nanoseconds: for commands that look again now and then, never on a loop that serves.
    package static func pause(_ nanoseconds: UInt64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        _ = unsafe nanosleep(&time, nil)
    }
}
