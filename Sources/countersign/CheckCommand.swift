import Configuration
import Domain
import Expressions
import LoopKit

/// `check CONFIG`: everything that is wrong with it, at once.
enum CheckCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var arguments = arguments
        let (asJSON, isLive) = (arguments.flag("json"), arguments.flag("live"))
        let path = try arguments.positional("the config file")
        try arguments.end()
        let recorder = CallRecorder()
        let functions = isLive ? FunctionTable.standard.recording(to: recorder) : .standard
        switch ConfigLoader(environment: HostProcess.environment, functions: functions).load(path: path) {
        case .plan(let plan, let warnings):
            let failures = isLive ? logIn(plan, recorder, path: path, asJSON: asJSON) : []
            report(warnings + failures, asJSON: asJSON)
            if !asJSON, failures.isEmpty { Output.write("\(path): ok\n") }
            return failures.isEmpty ? 0 : 1
        case .issues(let issues):
            report(issues, asJSON: asJSON)
            return 1
        }
    }

    /// Logs in to every session that has a login; a failure is an issue like any other.
    private static func logIn(
        _ plan: GatewayPlan, _ recorder: CallRecorder, path: String, asJSON: Bool
    ) -> [ConfigIssue] {
        plan.sessions.filter { $0.hasFullLogin && !$0.needsPerson }.compactMap { session in
            let login = LoginReport(plan, session, recorder)
            if !asJSON { Output.write(login.text) }
            return login.problem.map {
                ConfigIssue(file: path, line: 0, column: 0, path: "sessions.\(session.name).login", problem: $0)
            }
        }
    }

    private static func report(_ issues: [ConfigIssue], asJSON: Bool) {
        if asJSON { return Output.write("[\(issues.map(\.json).joined(separator: ","))]\n") }
        for issue in issues { Output.write("\(issue.text)\n") }
    }
}
