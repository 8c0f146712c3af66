import Bytes
import Cryptography
import Domain
import LoopKit
import Observability
import Redaction

/// Where lines go, and the redactor in front of them. The operator's log goes to standard error.
final class LogSinks {
    let log: Log
    let redactor: Redactor
    private(set) var access: AccessLog?
    private var accessPlan: LogPlan.Access
    private let loop: EventLoop
    private let operatorSink: DescriptorSink
    private let accessSink = DescriptorSink(nil)

    /// Lines that nobody took: the reader of a log stands still, a disk is full, a file cannot be opened.
    var lost: UInt64 { operatorSink.lost + accessSink.lost }

    init(plan: GatewayPlan, loop: EventLoop) {
        self.loop = loop
        redactor = Redactor(plan.secrets.map(\.value.unsealed))
        let clock: () -> UInt64 = { [unowned loop] in
            UInt64(loop.wall.seconds) * 1_000_000_000 + UInt64(loop.wall.nanoseconds)
        }
        operatorSink = DescriptorSink(Self.watched(.standardError, loop))
        log = Log(
            level: plan.log.level.logLevel, sink: operatorSink, redactor: redactor, clock: clock)
        accessPlan = plan.log.access
        openAccessLog()
    }

    /// After a reload: new secrets are redacted too, the old ones still.
    func adopt(_ plan: GatewayPlan) {
        log.level = plan.log.level.logLevel
        for secret in plan.secrets { redactor.add(secret.value.unsealed) }
        guard plan.log.access != accessPlan else { return }
        access?.flush()
        accessPlan = plan.log.access
        accessSink.replace(with: nil)
        openAccessLog()
    }

    /// A rotation may have moved the file away: lines go to the one that is under the path now.
    func reopen() {
        guard case .file = accessPlan else { return }
        access?.flush()
        openAccessLog()
    }

    /// Tries a file again that could not be opened; what reads a FIFO may have come.
    func retry() {
        if access != nil, accessSink.isClosed { openAccessLog() }
    }

    func flush() {
        access?.flush()
        accessSink.drain()
        operatorSink.drain()
    }

    /// A file that cannot be opened leaves the log where it is; without one, its lines are counted as lost.
    private func openAccessLog() {
        do throws(LoopError) {
            switch accessPlan {
            case .off: accessSink.replace(with: nil)
            case .stdout: accessSink.replace(with: Self.watched(.standardOutput, loop))
            case .stderr: accessSink.replace(with: Self.watched(.standardError, loop))
            case .file(let path): accessSink.replace(with: Self.watched(try .appending(to: path), loop))
            }
        } catch {
            log.repeated(.error, "the access log cannot be opened", [.text("detail", error.description)])
        }
        // The worker flushes at the end of every tick that finished an exchange.
        access = accessPlan == .off ? nil : AccessLog(sink: accessSink, redactor: redactor, schedule: {})
    }

    private static func watched(_ output: OutputDescriptor, _ loop: EventLoop) -> OutputDescriptor {
        output.watch(on: loop)
        return output
    }
}

/// A log's way out, which may be another one after a while; without one, lines are lost and counted.
final class DescriptorSink: LogSink {
    private var output: OutputDescriptor?
    private var lostBefore: UInt64 = 0
    init(_ output: OutputDescriptor?) { self.output = output }

    var isClosed: Bool { output == nil }
    var lost: UInt64 { lostBefore + (output?.lostLines ?? 0) }

    func write(_ bytes: [UInt8]) {
        guard let output else { return lostBefore += UInt64(bytes.count { $0 == 0x0A }) }
        output.offer(bytes)
    }

    func drain() { output?.drain() }

    func replace(with next: OutputDescriptor?) {
        output?.abandon()
        lostBefore = lost
        output = next
    }
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
