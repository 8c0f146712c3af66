import Configuration
import LoopKit

/// `countersign COMMAND ...`: see `Usage`.
@main
struct Main {
    nonisolated static func main() {
        // Swift's own crash report prints memory around registers, a piece of a token among it (measured).
        HostProcess.setSignals()
        HostProcess.forbidDumps()
        HostProcess.holdStandardDescriptors()
        let ignored = HostProcess.dropForeignVariables()
        var arguments = Array(CommandLine.arguments.dropFirst())
        let code: Int32
        do throws(UsageError) {
            guard !arguments.isEmpty else { throw UsageError("a command is missing") }
            let name = arguments.removeFirst()
            // The daemon says it in its log.
            if name != "run" { for name in ignored { Output.error("countersign: \(name) is ignored\n") } }
            code = try run(name, Arguments(arguments), ignored)
        } catch {
            Output.error("countersign: \(error.problem)\n\n\(Usage.text)")
            code = 2
        }
        HostProcess.exit(code)
    }

    private static func run(_ name: String, _ arguments: Arguments, _ ignored: [String]) throws(UsageError) -> Int32 {
        switch name {
        case "run": try RunCommand.run(arguments, ignoredVariables: ignored)
        case "check": try CheckCommand.run(arguments)
        case "explain": try ExplainCommand.run(arguments)
        case "login": try LoginCommand.run(arguments)
        case "status": try StatusCommand.run(arguments)
        case "demo": try DemoCommand.run(arguments)
        case "version", "--version": try VersionCommand.run(arguments)
        case "profiles": try ProfilesCommand.run(arguments)
        case "reference": try ReferenceCommand.run(arguments)
        case "help", "--help", "-h": help()
        default: throw UsageError("there is no command \(name)\(suggestion(for: name))")
        }
    }

    private static func suggestion(for name: String) -> String {
        Suggestion.nearest(to: name, among: Usage.commands).map { "; did you mean \($0)?" } ?? ""
    }

    private static func help() -> Int32 {
        Output.write(Usage.text)
        return 0
    }
}
