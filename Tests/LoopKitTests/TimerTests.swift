import Foundation
import Glibc
import LoopKit
import Testing

extension LoopKitTests {
    @Test func `timers fire in the order of their deadlines and not before`() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        let start = loop.now
        let timers = [30, 10, 20].map { (delay: Int) in
            let timer = loop.timer {
                fired.append(delay)
                #expect(loop.now >= start + UInt64(delay) * millisecond)
                if fired.count == 3 { loop.stop() }
            }
            timer.arm(after: UInt64(delay) * millisecond)
            return timer
        }
        run(loop)
        #expect(fired == [10, 20, 30])
        #expect(timers.allSatisfy { !$0.isArmed })
    }

    @Test func `a timer that is moved fires once, at the last deadline`() throws {
        let loop = try EventLoop()
        var fired = 0
        let start = loop.now
        let moved = loop.timer { fired += 1 }
        moved.arm(after: 5 * millisecond)
        moved.arm(after: 60 * millisecond)
        moved.arm(after: 40 * millisecond)
        let end = loop.timer { loop.stop() }
        end.arm(after: 100 * millisecond)
        let early = loop.timer { #expect(fired == 0) }
        early.arm(after: 30 * millisecond)
        run(loop)
        #expect(fired == 1)
        #expect(loop.now >= start + 100 * millisecond)
    }

    @Test func `a timer can be moved to an earlier deadline`() throws {
        let loop = try EventLoop()
        let timer = loop.timer { loop.stop() }
        timer.arm(after: 60_000 * millisecond)
        timer.arm(after: 5 * millisecond)
        run(loop, seconds: 5)
    }

    @Test func `a cancelled or dropped timer stays silent and may be armed again`() throws {
        let loop = try EventLoop()
        var fired = 0
        let cancelled = loop.timer { fired += 1 }
        cancelled.arm(after: millisecond)
        cancelled.cancel()
        #expect(!cancelled.isArmed)
        var dropped: LoopTimer? = loop.timer { fired += 100 }
        dropped?.arm(after: millisecond)
        dropped = nil
        let middle = loop.timer { cancelled.arm(after: millisecond) }
        middle.arm(after: 20 * millisecond)
        let end = loop.timer { loop.stop() }
        end.arm(after: 50 * millisecond)
        run(loop)
        #expect(fired == 1)
        _ = dropped
    }

    @Test func `timers and sockets may outlive their loop`() throws {
        var loop: EventLoop? = try EventLoop()
        let timer = loop?.timer { Issue.record("fired") }
        timer?.arm(after: 60_000 * millisecond)
        weak let watched = loop
        loop = nil
        #expect(watched == nil)
        // Freed here, after its loop; the sanitizer sees a base that went too early.
        withExtendedLifetime(timer) {}
    }

    @Test func `an endless delay neither overflows nor fires`() throws {
        let loop = try EventLoop()
        let timer = loop.timer { Issue.record("fired") }
        timer.arm(after: .max)
        let end = loop.timer { loop.stop() }
        end.arm(after: millisecond)
        run(loop)
        #expect(timer.isArmed)
    }

    @Test func `end-of-tick actions run in order, with those they add, before the loop blocks`() throws {
        let loop = try EventLoop()
        var order: [Int] = []
        let timer = loop.timer {
            loop.atEndOfTick {
                order.append(2)
                loop.atEndOfTick {
                    order.append(4)
                    loop.stop()
                }
            }
            loop.atEndOfTick { order.append(3) }
            order.append(1)
        }
        timer.arm(after: millisecond)
        run(loop)
        #expect(order == [1, 2, 3, 4])
    }

    @Test func `actions added before run are run and can stop it`() throws {
        let loop = try EventLoop()
        var ran = 0
        for _ in 0..<2 {
            loop.atEndOfTick {
                ran += 1
                loop.stop()
            }
            run(loop)
        }
        #expect(ran == 2)
    }

    @Test func `the clock stands still within a tick and moves between ticks`() throws {
        let loop = try EventLoop()
        let first = loop.now
        let wall = loop.wall
        var last = first
        let timer = loop.timer {
            last = loop.now
            #expect(loop.now == last)
            loop.stop()
        }
        timer.arm(after: 2 * millisecond)
        run(loop)
        #expect(last >= first + 2 * millisecond)
        #expect(wall.seconds > 1_700_000_000)
    }

    @Test func `another thread's messages arrive in order on the loop`() throws {
        let loop = try EventLoop()
        var seen: [Int] = []
        let mailbox = try Mailbox<Int>(loop: loop) { number in
            seen.append(number)
            if number == 999 { loop.stop() }
        }
        let sender = mailbox.sender
        // A thread, not a task: the pool's few threads may all be busy with other tests.
        Thread.detachNewThread { for number in 0..<1000 { sender.post(number) } }
        run(loop)
        #expect(seen == Array(0..<1000))
    }

    @Test func `a signal becomes a call on the loop`() throws {
        let loop = try EventLoop()
        var seen = 0
        try loop.onSignal(SIGUSR1) {
            seen += 1
            loop.stop()
        }
        loop.atEndOfTick { kill(getpid(), SIGUSR1) }
        run(loop)
        #expect(seen == 1)
    }
}
