import Domain
import LoopKit

/// The deadlines of one downstream connection, on one timer. Each phase has exactly one; totals are never restarted by
/// a drip of bytes (reliability 1.2: evhttp's per-read timeouts kept a dripping client for ever).
struct ConnectionDeadlines {
    /// Bytes of a client that keeps sending after the final answer; then the connection is closed hard.
    static let lingerBytes = 64 * 1024
    /// Longest wait for the client's end after the final answer.
    static let lingerTime: UInt64 = 2_000_000_000

    /// How long an idle connection is kept while draining.
    static let drainIdleTime: UInt64 = 1_000_000_000

    private let limits: GatewayLimits
    private var timer: LoopTimer?
    private var loop: EventLoop?
    private var bodyStart: UInt64 = 0
    private var bodyBytes = 0

    init(limits: GatewayLimits) { self.limits = limits }

    mutating func start(loop: EventLoop, onDeadline: @escaping () -> Void) {
        self.loop = loop
        timer = loop.timer(onDeadline)
    }

    mutating func stop() {
        timer?.cancel()
        timer = nil
        loop = nil
    }

    func none() { timer?.cancel() }
    func idle() { timer?.arm(after: limits.keepAlive) }
    func headStarted() { timer?.arm(after: limits.headTime) }
    func drainIdle() { timer?.arm(after: Self.drainIdleTime) }
    func writeStalled() { timer?.arm(after: limits.writeStall) }
    func linger() { timer?.arm(after: Self.lingerTime) }

    mutating func bodyStarted() {
        bodyStart = loop?.now ?? 0
        bodyBytes = 0
        timer?.arm(after: limits.bodyIdle)
    }

    /// After a pause that was ours, the client's average starts anew.
    mutating func bodyResumed() { bodyStarted() }

    /// False when the body has been slower than the limit's average for too long.
    mutating func bodyProgressed(by count: Int) -> Bool {
        guard let loop else { return true }
        bodyBytes += count
        timer?.arm(after: limits.bodyIdle)
        let elapsed = loop.now &- bodyStart
        guard limits.bodyRate > 0, elapsed > limits.bodyRateAfter else { return true }
        return bodyBytes >= Int(elapsed / 1_000_000_000) * limits.bodyRate
    }
}
