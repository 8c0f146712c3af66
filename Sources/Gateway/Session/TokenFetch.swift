import Configuration
import Domain
import LoopKit

/// Gets the text of a token that somebody else hands over, from a file or a command, and reads it.
enum TokenFetch {
    /// `done` is called once: for a file before this returns, for a command later, from the loop.
    static func start(
        _ source: TokenSource, loop: EventLoop, _ done: @escaping (Result<[UInt8], GatewayError>) -> Void
    ) -> ChildProcess? {
        switch source.place {
        case .file(let path):
            do {
                done(.success(try TokenFile.read(path, limit: TokenText.limit).text))
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
        _ result: Result<[UInt8], GatewayError>, _ source: TokenSource, plan: SessionPlan, scope: ExchangeScope,
        wall: Int64
    ) -> LoginResult {
        do {
            return .succeeded(
                try TokenText.grant(try result.get(), source: source, plan: plan, scope: scope, wall: wall))
        } catch {
            return .failed(error.whileLoggingIn)
        }
    }

    /// What it printed is never told: it may be half a token.
    private static func output(_ end: ChildProcess.End) -> Result<[UInt8], GatewayError> {
        let detail: String
        switch end {
        case .output(let text): return .success(text)
        case .notStarted(let number): detail = "cannot be started (errno \(number))"
        case .failed(let code): detail = "ended with code \(code)"
        case .timedOut: detail = "took too long and was killed"
        case .tooMuchOutput: detail = "printed more than 64 KiB and was killed"
        }
        return .failure(GatewayError(.loginUnavailable, detail: "token command \(detail)"))
    }
}
