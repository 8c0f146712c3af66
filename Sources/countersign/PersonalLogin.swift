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
            guard let answer = answer ?? ask(human) else {
                Output.error("countersign login: no answer\n")
                return 1
            }
            guard answer.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                Output.error("countersign login: the answer holds a control character\n")
                return 1
            }
            fields = [("Countersign-Answer", answer)]
        }
        do throws(AdminClient.Failure) {
            _ = try AdminClient.send("POST", "/sessions/\(session.name)/login", fields: fields, to: address)
            return try follow()
        } catch {
            switch error {
            case .unreachable(let why): Output.error("countersign login: \(address): \(why)\n")
            case .notOurs: Output.error("countersign login: \(address): this gateway has no session \(session.name)\n")
            }
            return 3
        }
    }

    private func ask(_ human: String) -> String? {
        Output.error("\(Printable.line(Array(human.utf8)))\n> ")
        return InputDescriptor.line().map { String(decoding: ASCII.trimmed($0[...]), as: UTF8.self) }
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
            switch state {
            case "ready":
                Output.write("session \(session.name): logged in\n")
                return 0
            case "logging_in": break
            case "login_required" where session.renewal.human == nil:
                let action = HealthTable.text(health, "action") ?? ""
                if action != told { Output.error("\(Printable.line(Array(action.utf8)))\n") }
                told = action
                guard session.login.contains(where: { $0.human != nil }), !action.hasPrefix("nobody approved") else {
                    return 1
                }
            default:
                let error = HealthTable.text(health, "lastError") ?? "none"
                Output.write("session \(session.name): \(state) (\(error))\n")
                return 1
            }
            HostProcess.pause(Self.interval)
        }
    }
}
