import Configuration
import Domain
import Foundation
import Testing

struct ProfileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("config/profiles")

    /// `.ci/profiles` writes the Swift files.
    @Test func everyFileIsBundledAsItIs() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: ProfileTests.folder.path).sorted()
        #expect(files == BundledProfile.all.map { $0.name + ".yaml" })
        for profile in BundledProfile.all {
            let file = ProfileTests.folder.appendingPathComponent(profile.name + ".yaml")
            #expect(try String(contentsOf: file, encoding: .utf8) == profile.text, "\(profile.name)")
        }
    }

    @Test(arguments: BundledProfile.all.map(\.name)) func isDescribed(_ name: String) throws {
        let facts = try #require(BundledProfile.named(name)?.facts)
        #expect(!facts.summary.isEmpty)
        #expect(BundledProfile.named(name)?.text.contains("\nprofile: \(name)\n") == true)
        for secret in facts.secrets { #expect(!secret.doc.isEmpty) }
        // A profile that extends another may leave the meaning of a parameter to it.
        for parameter in facts.parameters where facts.base == nil {
            #expect(!parameter.doc.isEmpty, "\(parameter.name)")
        }
    }

    /// Without a warning too: what ships is an example.
    @Test(arguments: BundledProfile.all.map(\.name)) func loads(_ name: String) throws {
        var (values, given, secrets, dropped) = ([String: String](), Set<String>(), [String](), [String]())
        var next: String? = name
        while let profile = next {
            let facts = try #require(BundledProfile.named(profile)?.facts)
            secrets += facts.secrets.map(\.name).filter { !dropped.contains($0) && !secrets.contains($0) }
            // One that extends another may need fewer.
            let text = try #require(BundledProfile.named(profile)?.text)
            dropped += text.matches(of: /\n  (\w+): null\b/).map { String($0.output.1) }
            for parameter in facts.parameters where values[parameter.name] == nil {
                values[parameter.name] = parameter.initial ?? ""
                if parameter.initial == nil { given.insert(parameter.name) }
            }
            next = facts.base
        }
        let required = values.filter { $0.value.isEmpty || given.contains($0.key) }.keys.filter {
            given.contains($0) || !["session_token", "server", "scope", "audience"].contains($0)
        }
        let with = required.sorted().map { "\($0): \(Self.value(for: $0))" }.joined(separator: ", ")
        let text = """
            listen: 127.0.0.1:0
            secrets: {\(secrets.map { "\($0): {env: \(Self.variable(for: $0, name))}" }.joined(separator: ", "))}
            upstreams:
              up: {url: "https://up.example", profile: {name: \(name), with: {\(with)}}}
            """
        let account = [
            "client_email": "a@b", "private_key": SampleKeys.rsa, "private_key_id": "k", "token_uri": "https://a/",
        ]
        let environment = [
            "S": SampleKeys.seed, "PRIVATE": SampleKeys.rsa, "PUBLIC": SampleKeys.rsaPublic, "PROOF": SampleKeys.p256,
            "ACCOUNT": String(decoding: try JSONEncoder().encode(account), as: UTF8.self),
        ]
        let outcome = ConfigLoader(environment: environment).load(text: text, file: "c.yaml")
        #expect(outcome.isPlan, "\(outcome.text)")
        #expect(!outcome.messages.contains { $0.severity != .info }, "\(outcome.text)")
    }

    /// A parameter that must be given.
    private static func value(for parameter: String) -> String {
        switch parameter {
        case "server": "up"
        case "service_path": "/x1"
        case "partner", "shop": "\"1\""
        default: "x1"
        }
    }

    /// Keys are tried when a config is loaded.
    private static func variable(for secret: String, _ profile: String) -> String {
        switch secret {
        case "private_key": ["app-store-connect", "coinbase-advanced"].contains(profile) ? "PROOF" : "PRIVATE"
        case "service_account": "ACCOUNT"
        case "platform_key": "PUBLIC"
        case "proof_key": "PROOF"
        default: "S"
        }
    }

    private static let own = """
        profile: own
        summary: A service of ours.
        extends: base.yaml
        parameters: {header: {default: X-Token}, gone: null}
        secrets: {token: what we were given, old: null}
        session: {attach: {header: {"{{header}}": "${secret.token}"}}}
        """
    private static let base = """
        profile: base
        summary: What our services share.
        parameters: {header: {doc: Name of the field.}, gone: {doc: Nothing.}}
        secrets: {old: Nothing.}
        session:
          expired: status == {{status}}
        routes: [{path: /**, session: "{{upstream}}"}]
        """

    private func load(_ config: String, _ files: [String: String]) throws -> ConfigOutcome {
        let folder = try TestFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return ConfigLoader(environment: ["S": "value"]).load(path: try folder.write(config, to: "config.yaml"))
    }

    private func config(_ use: String) -> String {
        """
        listen: 127.0.0.1:0
        secrets: {t: {env: S}}
        upstreams:
          up:
            url: "https://up.example"
            profile: \(use)
        """
    }

    @Test func anOwnFileIsFoundBesideTheConfig() throws {
        let base = ProfileTests.base.replacingOccurrences(of: "{{status}}", with: "401")
        let outcome = try load(
            config("{name: ./own.yaml, secrets: {token: t}, with: {header: X-Key}}"),
            ["own.yaml": ProfileTests.own, "base.yaml": base])
        guard case .plan(let plan, _) = outcome else {
            Issue.record("\(outcome.text)")
            return
        }
        let lines = PlanDump.lines(plan)
        #expect(lines.contains { $0.contains("X-Key") && $0.contains("secret.t}") }, "\(lines)")
    }

    /// Whether it is a key of a section or a name in a mapping.
    @Test func whatIsOneEmptyParameterIsNotWritten() throws {
        let base = """
            profile: base
            summary: What our services share.
            parameters: {a: {default: ""}, b: {default: "401"}}
            session: {expired: "{{a}}", attach: {header: {X-A: "{{a}}", X-B: "{{b}}"}}}
            routes: [{path: /**, session: "{{upstream}}"}]
            """
        guard case .plan(let plan, _) = try load(config("base.yaml"), ["base.yaml": base]) else {
            Issue.record("no plan")
            return
        }
        #expect(plan.sessions[0].attach.fields.map { String(decoding: $0.name, as: UTF8.self) } == ["X-B"])
        #expect(plan.sessions[0].expired == nil)
    }

    @Test func issuesNameTheProfileAndItsLine() throws {
        let outcome = try load(
            config("{name: ./own.yaml, secrets: {token: t}}"),
            ["own.yaml": ProfileTests.own, "base.yaml": ProfileTests.base])
        #expect(outcome.text.contains("{{status}}, which is not among its parameters"), "\(outcome.text)")

        let wrong = ProfileTests.base.replacingOccurrences(of: "{{status}}", with: "401 &&")
        let second = try load(
            config("{name: ./own.yaml, secrets: {token: t}}"), ["own.yaml": ProfileTests.own, "base.yaml": wrong])
        #expect(second.text.contains("config.yaml:6:"), "\(second.text)")
        #expect(second.text.contains("sessions.up.expired: in profile base.yaml, line 6: "), "\(second.text)")
    }

    @Test func aChainIsBounded() throws {
        let loop = "profile: a\nsummary: s\nextends: a.yaml\n"
        let outcome = try load(config("a.yaml"), ["a.yaml": loop])
        #expect(outcome.text.contains("extends itself"), "\(outcome.text)")

        var files: [String: String] = [:]
        for level in 0..<20 { files["p\(level).yaml"] = "profile: p\nsummary: s\nextends: p\(level + 1).yaml\n" }
        let long = try load(config("p0.yaml"), files)
        #expect(long.text.contains("extends too many others"), "\(long.text)")
    }

    @Test func aFileOthersCanWriteIsRefused() throws {
        let folder = try TestFolder()
        let file = try folder.write("profile: a\nsummary: s\nroutes: [{path: /**}]\n", to: "a.yaml")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
        let path = try folder.write(config("./a.yaml"), to: "config.yaml")
        let outcome = ConfigLoader(environment: ["S": "value"]).load(path: path)
        #expect(outcome.text.contains("can write this profile"), "\(outcome.text)")
    }
}
