import Domain
import Glibc
import LoopKit

/// Opens one connection to the first of several addresses that takes it. The next address is tried when the one before
/// failed, or beside it after 200 ms (RFC 8305 5: 250 ms, at least 100): a silent first address must not eat the deadline.
final class Dialer {
    /// The system's reason, `ETIMEDOUT` when the deadline passed.
    struct Failure: Error {
        let code: Int32
    }

    private static let headStart: UInt64 = 200_000_000
    /// Between two tries at a unix socket whose backlog is full.
    private static let pause: UInt64 = 10_000_000

    private let loop: EventLoop
    private let addresses: [ListenAddress]
    private let onEnd: (Result<Int32, Failure>) -> Void
    private var next = 0
    private var attempts: [DescriptorWatch] = []
    private var lastCode = ETIMEDOUT
    private var isOver = false
    private var deadline: LoopTimer?
    private var stagger: LoopTimer?

    /// Ends with a connected descriptor, which then belongs to the callee, or a failure: once, never before `dial` returned.
    /// - Parameter timeout: nanoseconds for all addresses together.
    init(
        loop: EventLoop, addresses: [ListenAddress], timeout: UInt64, onEnd: @escaping (Result<Int32, Failure>) -> Void
    ) {
        self.loop = loop
        self.addresses = addresses
        self.onEnd = onEnd
        deadline = loop.timer { [unowned self] in end(.failure(Failure(code: ETIMEDOUT))) }
        deadline?.arm(after: timeout)
        stagger = loop.timer { [unowned self] in tryNext() }
        loop.atEndOfTick { [weak self] in self?.tryNext() }
    }

    deinit { drop() }

    private func tryNext() {
        while !isOver, next < addresses.count {
            let address = addresses[next]
            next += 1
            do throws(LoopError) {
                watch(try StreamConnector.connect(to: address))
                if next < addresses.count { stagger?.arm(after: Self.headStart) }
                return
            } catch {
                lastCode = error.code
                // The server is there and busy. TCP sends its SYN again by itself; a unix socket says so once.
                if error.code == EAGAIN, case .unix = address {
                    next -= 1
                    stagger?.arm(after: Self.pause)
                    return
                }
            }
        }
        if !isOver, attempts.isEmpty { end(.failure(Failure(code: lastCode))) }
    }

    private func watch(_ descriptor: Int32) {
        let watch = DescriptorWatch(loop: loop, descriptor: descriptor) { [unowned self] _, _ in settled(descriptor) }
        attempts.append(watch)
        watch.update(read: false, write: true)
    }

    private func settled(_ descriptor: Int32) {
        guard let index = attempts.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        let attempt = attempts.remove(at: index)
        attempt.update(read: false, write: false)
        let code = StreamConnector.outcome(of: descriptor)
        if code == 0 { return end(.success(descriptor)) }
        _ = close(descriptor)
        lastCode = code
        tryNext()
    }

    private func end(_ result: Result<Int32, Failure>) {
        guard !isOver else { return }
        drop()
        onEnd(result)
    }

    private func drop() {
        isOver = true
        deadline?.cancel()
        stagger?.cancel()
        for attempt in attempts {
            attempt.update(read: false, write: false)
            _ = close(attempt.descriptor)
        }
        attempts = []
    }
}
