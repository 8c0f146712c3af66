import Configuration
import Domain
import Expressions
import Gateway
import LoopKit

/// `login CONFIG SESSION`: one login in earnest. What it brings is told by name and forgotten.
enum LoginCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var arguments = arguments
        let path = try arguments.positional("the config file")
        let name = try arguments.positional("the session")
        let answer = try arguments.option("answer")
        let admin = try arguments.option("admin")
        try arguments.end()
        let recorder = CallRecorder()
        let functions = FunctionTable.standard.recording(to: recorder)
        switch ConfigLoader(environment: HostProcess.environment, functions: functions).load(path: path) {
        case .issues(let issues):
            for issue in issues { Output.error("\(issue.text)\n") }
            return 1
        case .plan(let plan, _):
            guard let session = plan.sessions.first(where: { $0.name == name }) else {
                let known = plan.sessions.map(\.name).joined(separator: ", ")
                Output.error(
                    "countersign login: there is no session \(name) (sessions: \(known.isEmpty ? "none" : known))\n")
                return 1
            }
            if session.needsPerson, let text = admin ?? PersonalLogin.admin(of: plan) {
                guard let address = ListenAddress(parsing: text) else { throw UsageError("\(text) is no address") }
                return PersonalLogin(session: session, address: address, answer: answer).run()
            }
            let report = LoginReport(plan, session, recorder, answer: answer.map { Array($0.utf8) })
            Output.write(report.text)
            return report.problem == nil ? 0 : 1
        }
    }
}

/// One login and what came of it, in words, without a secret.
struct LoginReport {
    private(set) var text = ""
    /// `nil`: logged in.
    private(set) var problem: String?

    /// Logs in; takes as long as it takes.
    /// - Parameter recorder: of the function table that the plan was compiled with.
    init(_ plan: GatewayPlan, _ session: SessionPlan, _ recorder: CallRecorder, answer: [UInt8]? = nil) {
        let mask = SecretMask(plan)
        let upstream = plan.upstreams[session.upstream]
        text = "session \(session.name) at \(upstream.scheme)://\(upstream.authority)\n"
        do {
            let trial = LoginTrial(
                loop: try EventLoop(), plan: plan, session: session, answer: answer,
                trace: AssemblyTrace(recorder: recorder, trail: mask.trail),
                onAsk: session.asksPerson ? { PersonalLogin.ask($0) } : nil
            ) { action in
                Output.error("\(Printable.line(Array(action.utf8)))\n")
            }
            let result = trial.login()
            for value in trial.delicate { mask.add(value) }
            for (index, step) in trial.steps.enumerated() {
                let line = mask(step.method + [0x20] + DelicateValues.masked(step.target))
                text +=
                    "step \(index + 1): \(Printable.line(line)): \(step.status.map { "status \($0)" } ?? "no answer")\n"
            }
            if let answer = trial.failedAnswer { tell(answer, mask) }
            for echo in trial.echoes { tell(echo, mask) }
            if let offset = trial.adoptedOffset {
                text += "the upstream refused our time; signed again with its own, \(offset) s ahead of ours\n"
            }
            tell(result, session, mask)
            if abs(trial.clockOffset) > 30 {
                text += "the upstream's clock differs from ours by \(trial.clockOffset) s"
                text += "; clock: {learn_from: date} lets signatures follow it\n"
            }
        } catch {
            problem = "\(error)"
            text += "\(error)\n"
        }
    }

    private mutating func tell(_ result: LoginResult, _ session: SessionPlan, _ mask: SecretMask) {
        switch result {
        case .succeeded(let grant):
            text += "logged in\n"
            for (name, value) in zip(session.captureNames, grant.captures) {
                text += "session.\(name): \(Self.shape(value))\n"
            }
            text += grant.lifetime.map { "expires in \($0 / 1_000_000_000) s\n" } ?? "expiry not known\n"
            if let problem = grant.expiryProblem { text += "\(problem)\n" }
        case .refused(let error) where error.kind == .loginRequired: fail("a person has to act: \(mask(error.detail))")
        case .refused(let error): fail("refused: \(mask(error.detail))")
        case .failed(let error, _, _): fail("failed (\(error.kind.rawValue)): \(mask(error.detail))")
        }
    }

    /// What the upstream said, as far as it fits: why a login does not work is often written there.
    private mutating func tell(_ answer: LoginTrial.Answer, _ mask: SecretMask) {
        let type = answer.type.isEmpty ? "no Content-Type" : Printable.line(mask(answer.type))
        text += "its answer, \(type), \(answer.count) bytes:\n"
        // The whole is masked before it is cut: half a secret is not found.
        let body = mask(answer.outline)
        text += "  \(Printable.line(Array(body.prefix(1024))))\(body.count > 1024 ? " ..." : "")\n"
    }

    private mutating func tell(_ echo: SignatureAnswer.Echo, _ mask: SecretMask) {
        let (ours, theirs) = (mask(Array(echo.ours)), mask(Array(echo.theirs)))
        guard let difference = EchoDifference(ours: ours, theirs: theirs) else {
            text += "signature \(echo.plan.name): the upstream signed the same string; "
            text += "the key or the algorithm differs\n"
            return
        }
        text += "signature \(echo.plan.name): the upstream signed another string, from line \(difference.line) on\n"
        text += "  ours   \(Printable.line(difference.ours))\n  theirs \(Printable.line(difference.theirs))\n"
    }

    private mutating func fail(_ text: String) {
        problem = text
        self.text += text + "\n"
    }

    /// Enough to see that the right thing was captured, not what it is.
    private static func shape(_ value: CapturedValue) -> String {
        if value.isNull { return "nothing" }
        var bytes: [UInt8] = []
        value.value.appendText(to: &bytes)
        return "*** (\(value.value.typeName.name), \(bytes.count) bytes)"
    }
}
