import Configuration
import LoopKit

/// `check CONFIG`: everything that is wrong with it, at once.
enum CheckCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var arguments = arguments
        let asJSON = arguments.flag("json")
        let path = try arguments.positional("the config file")
        try arguments.end()
        switch ConfigLoader(environment: HostProcess.environment).load(path: path) {
        case .plan(_, let warnings):
            report(warnings, asJSON: asJSON)
            if !asJSON { Output.write("\(path): ok\n") }
            return 0
        case .issues(let issues):
            report(issues, asJSON: asJSON)
            return 1
        }
    }

    private static func report(_ issues: [ConfigIssue], asJSON: Bool) {
        if asJSON { return Output.write("[\(issues.map(\.json).joined(separator: ","))]\n") }
        for issue in issues { Output.write("\(issue.text)\n") }
    }
}
