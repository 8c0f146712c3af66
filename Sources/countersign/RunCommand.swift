import Configuration
import Domain
import Gateway
import LoopKit

/// `run CONFIG`: the daemon.
enum RunCommand {
    static func run(_ arguments: Arguments, ignoredVariables: [String]) throws(UsageError) -> Int32 {
        HostProcess.ignoreStraySignals()
        var arguments = arguments
        var options = WorkerOptions()
        options.ignoredVariables = ignoredVariables
        options.version = Version.number
        options.pinnedNow = try arguments.time("pin-now")
        options.device = Device.identifier()
        options.pinnedNonce = try arguments.option("pin-nonce").map { Array($0.utf8) }
        let path = try arguments.positional("the config file")
        try arguments.end()
        let loader = ConfigLoader(environment: HostProcess.environment)
        options.reload = {
            switch loader.load(path: path) {
            case .plan(let plan, let warnings): .plan(plan, warnings: texts(of: warnings))
            case .issues(let issues): .refused(issues.map(\.text))
            }
        }
        switch loader.load(path: path) {
        case .issues(let issues):
            for issue in issues { Output.error("\(issue.text)\n") }
            return 1
        case .plan(let plan, let warnings):
            options.warnings = texts(of: warnings)
            return serve(plan, options)
        }
    }

    /// What somebody should look at; `check` shows the rest too.
    private static func texts(of issues: [ConfigIssue]) -> [String] {
        issues.filter { $0.severity != .info }.map(\.text)
    }

    private static func serve(_ plan: GatewayPlan, _ options: WorkerOptions) -> Int32 {
        HostProcess.setDescriptorLimit(plan.limits.descriptors)
        do {
            let worker = try Worker(loop: EventLoop(), plan: plan, options: options)
            try worker.run()
            return 0
        } catch {
            Output.error("countersign: \(error)\n")
            return 1
        }
    }
}
