import Configuration
import Domain
import Expressions
import LoopKit

/// `explain CONFIG METHOD URL`: what would become of one request; `explain CONFIG --login SESSION`: how a session would log
/// in. Nothing is sent.
enum ExplainCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var arguments = arguments
        var fields: [(name: String, value: String)] = []
        for text in try arguments.options("header") {
            fields.append(try pair(text, ":", "--header takes \"NAME: VALUE\""))
        }
        let data = try arguments.option("data")
        var session: [(name: String, value: String)] = []
        for text in try arguments.options("session") {
            session.append(try pair(text, "=", "--session takes NAME=VALUE"))
        }
        let answer = try sample(&arguments)
        let login = try arguments.option("login")
        let step = try arguments.option("step")
        let now = try arguments.time("now")
        let nonce = try arguments.option("nonce")
        let (asJSON, showsSecrets) = (arguments.flag("json"), arguments.flag("show-secrets"))
        let path = try arguments.positional("the config file")
        var input = ExplainInput(method: "", url: "")
        if login == nil {
            input.method = try arguments.positional("the method")
            input.url = try arguments.positional("the URL")
        } else if data != nil || !fields.isEmpty {
            throw UsageError("--header and --data belong to a request, and --login explains none")
        }
        if step != nil, login == nil || answer == nil { throw UsageError("--step goes with --login and --answer") }
        try arguments.end()
        if showsSecrets, !OutputDescriptor.standardOutput.isTerminal {
            Output.error("countersign explain: --show-secrets writes to a terminal only, not to a file or a pipe\n")
            return 2
        }
        (input.fields, input.body, input.session) = (fields, data.map { Array($0.utf8) }, session)
        (input.nonce, input.step) = (nonce.map { Array($0.utf8) }, step)
        input.device = Device.identifier()
        guard complete(&input, now, answer) else { return 1 }
        return explain(input, login: login, path: path, asJSON: asJSON, showsSecrets: showsSecrets)
    }

    /// What needs the clock or a file. False: there is something wrong with it, and it was said.
    private static func complete(
        _ input: inout ExplainInput, _ now: (seconds: Int64, nanoseconds: Int32)?, _ answer: Sample?
    ) -> Bool {
        do throws(LoopError) {
            if let now { input.now = now } else { input.now = (try EventLoop().wall.seconds, 0) }
        } catch {
            Output.error("countersign explain: \(error)\n")
            return false
        }
        do {
            input.answer = try answer?.sample
        } catch {
            Output.error("countersign explain: --answer \(error.detail)\n")
            return false
        }
        return true
    }

    /// What `--answer` and its options say.
    private struct Sample {
        var file: String
        var status: Int
        var reason: String?
        var fields: [(name: String, value: String)]

        var sample: SampleAnswer {
            get throws(TokenFile.Problem) {
                var answer = SampleAnswer(body: try SampleFile.read(file, limit: 1 << 24))
                (answer.status, answer.reason, answer.fields) = (status, reason, fields)
                return answer
            }
        }
    }

    private static func sample(_ arguments: inout Arguments) throws(UsageError) -> Sample? {
        let file = try arguments.option("answer")
        let line = try arguments.option("answer-status").map { $0.split(separator: " ", maxSplits: 1) }
        var fields: [(name: String, value: String)] = []
        for text in try arguments.options("answer-header") {
            fields.append(try pair(text, ":", "--answer-header takes \"NAME: VALUE\""))
        }
        guard let file else {
            guard line == nil, fields.isEmpty else { throw UsageError("--answer FILE is missing") }
            return nil
        }
        guard let status = Int(line.map { $0.first ?? "" } ?? "200"), 200...999 ~= status else {
            throw UsageError("--answer-status takes a number from 200 to 999, and the words behind it")
        }
        let reason = line.flatMap { $0.count > 1 ? String($0[1]) : nil }
        return Sample(file: file, status: status, reason: reason, fields: fields)
    }

    private static func explain(
        _ input: ExplainInput, login: String?, path: String, asJSON: Bool, showsSecrets: Bool
    ) -> Int32 {
        let recorder = CallRecorder()
        let loader = ConfigLoader(
            environment: HostProcess.environment, functions: FunctionTable.standard.recording(to: recorder))
        switch loader.load(path: path) {
        case .issues(let issues):
            for issue in issues { Output.error("\(issue.text)\n") }
            return 1
        case .plan(let plan, _):
            let mask = showsSecrets ? SecretMask() : SecretMask(plan, input)
            if let login {
                return ExplainLogin(plan: plan, recorder: recorder, mask: mask, asJSON: asJSON).run(login, input)
            }
            let explanation = Explainer(plan: plan, recorder: recorder, trail: mask.trail).explain(input)
            // A key that a recipe derives, for a day or a service, is a secret that the config does not name.
            for key in explanation.keys { mask.add(key) }
            if let problem = problem(with: input, explanation) {
                Output.error("countersign explain: \(problem)\n")
                return 1
            }
            let output =
                asJSON
                ? ExplanationJSON.bytes(explanation, mask) : ExplanationText(mask).bytes(explanation, input)
            Output.write(output)
            return explanation.refusal == nil ? 0 : 1
        }
    }

    /// A value for something that the route's session does not have would silently do nothing.
    private static func problem(with input: ExplainInput, _ explanation: Explanation) -> String? {
        guard explanation.route != nil else { return nil }
        let names = explanation.session?.captures.map(\.name) ?? []
        for value in input.session where !names.contains(value.name) {
            guard let session = explanation.session else { return "--session \(value.name): this route has no session" }
            let known = names.isEmpty ? "none" : names.joined(separator: ", ")
            return "--session \(value.name): session \(session.name) has no such capture (it has: \(known))"
        }
        return nil
    }

    private static func pair(
        _ text: String, _ separator: Character, _ problem: String
    ) throws(UsageError) -> (name: String, value: String) {
        guard let end = text.firstIndex(of: separator), end != text.startIndex else { throw UsageError(problem) }
        let value = text[text.index(after: end)...].drop { $0 == " " && separator == ":" }
        return (String(text[..<end]), String(value))
    }
}
