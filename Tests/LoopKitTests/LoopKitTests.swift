import LoopKit
import Testing

/// One after the other: deadlines are measured on two shared cores.
@Suite(.serialized) struct LoopKitTests {}

/// Runs the loop until `stop()`; a test that waits for something that never comes fails after 10 s instead of hanging.
func run(_ loop: EventLoop, seconds: UInt64 = 10, sourceLocation: SourceLocation = #_sourceLocation) {
    let guardTimer = loop.timer {
        Issue.record("the loop was not stopped in time", sourceLocation: sourceLocation)
        loop.stop()
    }
    guardTimer.arm(after: seconds * 1_000_000_000)
    loop.run()
    guardTimer.cancel()
}

extension [UInt8] {
    init(_ text: String) { self = Array(text.utf8) }
}

let millisecond: UInt64 = 1_000_000

/// For exit tests, whose bodies cannot throw.
func attempt(_ body: () throws -> Void) {
    do { try body() } catch { Issue.record(error) }
}
