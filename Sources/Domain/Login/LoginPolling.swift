import Bytes
import Expressions

/// The tries of one polled step (RFC 8628 3.5).
struct LoginPolling {
    private static let second: UInt64 = 1_000_000_000
    private static let usualInterval: Int64 = 5
    private static let usualLongest: Int64 = 900

    private var startedAt: Int64?
    /// Seconds added by "slower" answers.
    private var extra: Int64 = 0

    /// What to do while the answer says "not yet"; `nil`: it says something else.
    mutating func wait(
        _ recipe: LoginStep, _ scope: ExchangeScope, wall: Int64
    ) throws(GatewayError) -> LoginRun.Verdict? {
        guard let poll = recipe.poll else { return nil }
        let isSlower = poll.slower?.holds(scope) ?? false
        guard isSlower || poll.pending.holds(scope) else { return nil }
        if isSlower { extra = min(extra + 5, 3600) }
        let started = startedAt ?? wall
        startedAt = started
        let longest = seconds(poll.longest, scope) ?? Self.usualLongest
        guard wall - started < longest else {
            throw GatewayError(.loginRequired, detail: "nobody approved the login in time; start it again")
        }
        let interval = (seconds(poll.every, scope) ?? Self.usualInterval) + extra
        return .wait(
            UInt64(clamping: interval) * Self.second,
            try recipe.todo(scope, otherwise: "the login waits for somebody to approve it"))
    }

    /// At least one, at most a day; `nil` when the expression has no value.
    private func seconds(_ expression: Expression?, _ scope: ExchangeScope) -> Int64? {
        guard let value = try? expression?.evaluate(scope) else { return nil }
        return CredentialExpiry.number(value).map { min(max($0, 1), 86_400) }
    }
}

extension LoginStep {
    /// What a person has to do, as the error that clients get meanwhile.
    func todo(_ scope: ExchangeScope, otherwise usual: String) throws(GatewayError) -> GatewayError {
        var text: [UInt8] = []
        do {
            try human?.append(to: &text, scope)
        } catch {
            throw GatewayError(.internal, detail: "human: \(error)")
        }
        // It goes into a log line and onto a terminal.
        text.removeAll { $0 < 0x20 || $0 == 0x7F }
        return GatewayError(.loginRequired, detail: text.isEmpty ? usual : String(decoding: text, as: UTF8.self))
    }
}
