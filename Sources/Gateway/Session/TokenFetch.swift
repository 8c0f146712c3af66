import Configuration
import Domain
import LoopKit

/// Gets the text of a token that somebody else hands over, from a file or a command, and reads it.
enum TokenFetch {
    /// What was handed over, and when it was written (Unix seconds; `nil`: now).
    struct Text {
        var bytes: [UInt8]
        var writtenAt: Int64?
    }

    /// `done` is called once: for a file before this returns, for a command later, from the loop.
    static func start(
        _ source: TokenSource, loop: EventLoop, _ done: @escaping (Result<Text, GatewayError>) -> Void
    ) -> ChildProcess? {
        switch source.place {
        case .file(let path):
            do {
                let (bytes, stamp) = try TokenFile.read(path, limit: TokenText.limit)
                done(.success(Text(bytes: bytes, writtenAt: stamp.modifiedSeconds)))
            } catch {
                done(.failure(GatewayError(.loginUnavailable, detail: "token file \(error.detail)")))
            }
            return nil
        case .command(let arguments, let time):
            return ChildProcess(loop: loop, arguments: arguments, time: time, limit: TokenText.limit) { end in
                done(output(end))
            }
        }
    }

    static func judge(
        _ result: Result<Text, GatewayError>, _ source: TokenSource, plan: SessionPlan, scope: ExchangeScope,
        wall: Int64
    ) -> LoginResult {
        do {
            let text = try result.get()
            return .succeeded(
                try TokenText.grant(
                    text.bytes, source: source, plan: plan, scope: scope, wall: wall,
                    age: text.writtenAt.map { max(wall - $0, 0) } ?? 0))
        } catch {
            return .failed(error.whileLoggingIn)
        }
    }

    /// What it printed is never told: it may be half a token.
    private static func output(_ end: ChildProcess.End) -> Result<Text, GatewayError> {
        let detail: String
        switch end {
        case .output(let bytes): return .success(Text(bytes: bytes))
        case .notStarted(let number): detail = "cannot be started (errno \(number))"
        case .failed(let code): detail = "ended with code \(code)"
        case .timedOut: detail = "took too long and was killed"
        case .tooMuchOutput: detail = "printed more than 64 KiB and was killed"
        }
        return .failure(GatewayError(.loginUnavailable, detail: "token command \(detail)"))
    }
}
