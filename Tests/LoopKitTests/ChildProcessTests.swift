import Glibc
import LoopKit
import Testing

extension LoopKitTests {
    private func end(
        of arguments: [String], time: UInt64 = 10_000 * millisecond, limit: Int = 1000
    ) throws -> ChildProcess.End? {
        let loop = try EventLoop()
        var result: ChildProcess.End?
        let child = ChildProcess(loop: loop, arguments: arguments, time: time, limit: limit) { end in
            result = end
            loop.stop()
        }
        run(loop)
        withExtendedLifetime(child) {}
        return result
    }

    @Test(arguments: [
        (["echo", "a b"], ChildProcess.End.output(Array("a b\n".utf8))), (["true"], .output([])),
        (["false"], .failed(1)),
        (["sh", "-c", "exit 7"], .failed(7)), (["sh", "-c", "kill -TERM $$"], .failed(143)),
        (["/no/such"], .notStarted(ENOENT)),
        ([], .notStarted(EINVAL)), (["ec\0ho"], .notStarted(EINVAL)), (["yes"], .tooMuchOutput),
        (["sh", "-c", "cat; echo end"], .output(Array("end\n".utf8))), (["sh", "-c", "echo x >&2"], .output([])),
    ])
    func `a child ends as it ends`(arguments: [String], expected: ChildProcess.End) throws {
        #expect(try end(of: arguments) == expected)
    }

    @Test func `a child that takes too long is killed with what it started`() throws {
        let start = ContinuousClock.now
        #expect(try end(of: ["sh", "-c", "sleep 30 & sleep 30"], time: 50 * millisecond) == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `a child that is cancelled tells nobody and leaves no zombie`() throws {
        let loop = try EventLoop()
        let child = ChildProcess(loop: loop, arguments: ["sleep", "30"], time: .max, limit: 10) { _ in
            Issue.record("told after cancel")
        }
        loop.atEndOfTick { child.cancel() }
        let timer = loop.timer { loop.stop() }
        timer.arm(after: 200 * millisecond)
        run(loop)
    }
}
