import Configuration
import Foundation
import Testing

/// Every config that ships loads, once the secrets it refers to exist.
struct ExampleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("config")

    static let names: [String] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        // Profiles are parts of configs: ProfileTests.
        return files.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("profiles/") }.sorted()
    }()

    @Test(arguments: names) func loads(_ name: String) throws {
        let text = try String(contentsOf: ExampleTests.folder.appendingPathComponent(name), encoding: .utf8)
        let (folder, credentials) = (try TestFolder(), try TestFolder())
        var environment = ["CREDENTIALS_DIRECTORY": credentials.path]
        for match in text.matches(of: /\b(env|file|credential):\s*"?([^\s"},]+)/) {
            let (kind, value) = (match.output.1, String(match.output.2))
            switch kind {
            case "env": environment[value] = "value"
            case "credential": try credentials.write("value", to: value)
            default: if !value.hasPrefix("/") { try folder.write("value", to: value) }
            }
        }
        let file = try folder.write(text, to: "config.yaml")
        let outcome = ConfigLoader(environment: environment).load(path: file)
        #expect(outcome.isPlan, "\(outcome.text)")
        #expect(!outcome.messages.contains { $0.severity == .warning }, "\(outcome.text)")
    }
}
