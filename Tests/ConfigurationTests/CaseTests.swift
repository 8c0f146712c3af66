import Configuration
import Foundation
import Testing

/// Golden files: a config, a line of dashes, then what `check` would print or the plan that comes of it.
/// `UPDATE_CASES=1 swift test --filter CaseTests` writes what is printed now; read the difference before committing it.
struct CaseTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".case") }.sorted()
    }()
    private static let environment = [
        "SHOP_USER": "ann", "SHOP_PASSWORD": "correct horse", "SIGN_KEY": "k3y",
        "SIGN_SEED": "thirty-two bytes of an ed25519 k",
        "STORE_KEY": "a key of thirty-two random bytes",
    ]

    @Test func thereAreCases() { #expect(CaseTests.names.count >= 10) }

    @Test(arguments: names) func printsWhatTheFileSays(_ name: String) throws {
        let file = CaseTests.folder.appendingPathComponent(name)
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = text.components(separatedBy: "\n----------\n")
        let outcome = ConfigLoader(environment: CaseTests.environment).load(text: parts[0] + "\n", file: "c.yaml")
        var lines = outcome.messages.map(\.text)
        if case .plan(let plan, _) = outcome { lines += PlanDump.lines(plan) }
        let output = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["UPDATE_CASES"] == "1" {
            try Data((parts[0] + "\n----------\n" + output).utf8).write(to: file)
            return
        }
        try #require(parts.count == 2)
        #expect(output == parts[1])
    }
}
