import Bytes
import Cryptography
import Domain
import LoopKit
import Observability

/// Where lines go, and the redactor in front of them. The operator's log goes to standard error.
final class LogSinks {
    let log: Log
    let redactor: Redactor
    private(set) var access: AccessLog?
    private var accessPlan: LogPlan.Access
    private let operatorSink: DescriptorSink
    private var accessSink: DescriptorSink?

    /// Writes that nobody took: the reader of a log stands still, or a disk is full.
    var lost: UInt64 { operatorSink.lost + (accessSink?.lost ?? 0) }

    init(plan: GatewayPlan, loop: EventLoop) {
        redactor = Redactor(plan.secrets.map(\.value.unsealed))
        let clock: () -> UInt64 = { [unowned loop] in
            UInt64(loop.wall.seconds) * 1_000_000_000 + UInt64(loop.wall.nanoseconds)
        }
        operatorSink = DescriptorSink(.standardError)
        log = Log(
            level: plan.log.level.logLevel, sink: operatorSink, redactor: redactor, clock: clock)
        accessPlan = plan.log.access
        openAccessLog()
        if access == nil, accessPlan != .off { log.error("the access log cannot be opened") }
    }

    /// After a reload: new secrets are redacted too, the old ones still.
    func adopt(_ plan: GatewayPlan) {
        log.level = plan.log.level.logLevel
        for secret in plan.secrets { redactor.add(secret.value.unsealed) }
        guard plan.log.access != accessPlan else { return }
        access?.flush()
        accessPlan = plan.log.access
        openAccessLog()
    }

    func flush() {
        access?.flush()
        accessSink?.drain()
        operatorSink.drain()
    }

    private func openAccessLog() {
        let output: OutputDescriptor?
        switch accessPlan {
        case .off: output = nil
        case .stdout: output = .standardOutput
        case .stderr: output = .standardError
        case .file(let path): output = .appending(to: path)
        }
        accessSink = output.map { DescriptorSink($0) }
        // The worker flushes at the end of every tick that finished an exchange.
        access = accessSink.map { AccessLog(sink: $0, redactor: redactor, schedule: {}) }
    }
}

final class DescriptorSink: LogSink {
    private let output: OutputDescriptor
    init(_ output: OutputDescriptor) { self.output = output }
    func write(_ bytes: [UInt8]) { output.offer(bytes) }
    func drain() { output.drain() }
    var lost: UInt64 { output.failures }
}

extension LogPlan.Level {
    var logLevel: LogLevel {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}
