import Bytes
import Domain
import JSONBytes
import LoopKit

/// A login that somebody has to help with, inside the gateway that runs: the session is the gateway's, not ours.
struct PersonalLogin {
    let session: SessionPlan
    let address: ListenAddress
    let answer: String?

    private static let interval: UInt64 = 500_000_000

    /// Where the gateway of this config listens for its operator; `nil`: nowhere that is known beforehand.
    static func admin(of plan: GatewayPlan) -> String? {
        switch plan.admin {
        case .tcp(let host, let port) where port != 0: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .localhost(let port) where port != 0: "127.0.0.1:\(port)"
        case .unix(let path): "unix:\(path)"
        case .tcp, .localhost, nil: nil
        }
    }

    /// Exit code.
    func run() -> Int32 {
        var fields: [(name: String, value: String)] = []
        if let human = session.renewal.human {
            guard let field = field(asking: human) else { return 1 }
            fields = [field]
        }
        do throws(AdminClient.Failure) {
            try post(fields)
            return try follow()
        } catch {
            switch error {
            case .unreachable(let why): Output.error("countersign login: \(address): \(why)\n")
            case .notOurs: Output.error("countersign login: \(address): this gateway has no session \(session.name)\n")
            case .tooOften:
                Output.error("countersign login: too many logins of \(session.name) within its attempts_window\n")
            }
            return 3
        }
    }

    private func post(_ fields: [(name: String, value: String)]) throws(AdminClient.Failure) {
        _ = try AdminClient.send("POST", "/sessions/\(session.name)/login", fields: fields, to: address)
    }

    /// The answer to a question as a field of the request; `nil`: there is none.
    private func field(asking question: String) -> (name: String, value: String)? {
        guard let answer = answer ?? Self.ask(question).map({ String(decoding: $0, as: UTF8.self) }) else {
            Output.error("countersign login: no answer\n")
            return nil
        }
        guard answer.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            Output.error("countersign login: the answer holds a control character\n")
            return nil
        }
        return ("Countersign-Answer", answer)
    }

    /// At the terminal.
    static func ask(_ question: String) -> [UInt8]? {
        Output.error("\(Printable.line(Array(question.utf8)))\n> ")
        return InputDescriptor.line().map { Array(ASCII.trimmed($0[...])) }
    }

    /// Until the login is over one way or the other; what there is to do is told once.
    private func follow() throws(AdminClient.Failure) -> Int32 {
        var told = ""
        while true {
            let body = try AdminClient.get("/health", from: address)
            let key = Array(session.name.utf8)
            let sessions = try? JSONDocument(parsing: body).root.member(Array("sessions".utf8).span)
            guard let health = sessions?.member(key.span), let state = HealthTable.text(health, "state") else {
                throw .notOurs
            }
            let action = HealthTable.text(health, "action") ?? ""
            switch HealthTable.text(health, "attempt") {
            case "asking":
                guard let field = field(asking: action) else { return 1 }
                try post([field])
            case "running":
                if !action.isEmpty, action != told { Output.error("\(Printable.line(Array(action.utf8)))\n") }
                told = action
                HostProcess.pause(Self.interval)
            default: return end(state, action: action, error: HealthTable.text(health, "lastError"))
            }
        }
    }

    /// A failed renewal leaves the old session in force.
    private func end(_ state: String, action: String, error: String?) -> Int32 {
        if state == "ready", error == nil {
            Output.write("session \(session.name): logged in\n")
            return 0
        }
        if !action.isEmpty { Output.error("\(Printable.line(Array(action.utf8)))\n") }
        Output.write("session \(session.name): \(state) (\(error ?? "none"))\n")
        return 1
    }
}
