import Configuration
import Foundation
import Testing

struct ConfigIssueTests {
    @Test(arguments: [
        (
            ConfigIssue(file: "c.yaml", line: 41, column: 17, path: "routes[2].upstream", problem: "wrong", hint: "do"),
            "c.yaml:41:17 routes[2].upstream: wrong (do)"
        ),
        (ConfigIssue(file: "c.yaml", line: 1, column: 2, path: "", problem: "wrong"), "c.yaml:1:2: wrong"),
        (ConfigIssue(file: "c.yaml", line: 0, column: 0, path: "", problem: "wrong"), "c.yaml: wrong"),
        (
            ConfigIssue(file: "c", line: 1, column: 2, path: "a", problem: "odd", severity: .warning),
            "c:1:2 a: warning: odd"
        ),
        (
            ConfigIssue(file: "c", line: 1, column: 2, path: "a", problem: "tok\ten", hint: "\u{1B}[2J"),
            "c:1:2 a: tok\u{FFFD}en (\u{FFFD}[2J)"
        ),
    ])
    func text(_ issue: ConfigIssue, _ expected: String) { #expect(issue.text == expected) }

    @Test func jsonHoldsTheSame() throws {
        let issue = ConfigIssue(
            file: "a\"\\\u{1}b", line: 3, column: 4, path: "x.\"y\"", problem: "é\n", hint: nil, severity: .info)
        let value = try JSONSerialization.jsonObject(with: Data(issue.json.utf8)) as? [String: Any]
        #expect(value?["file"] as? String == "a\"\\\u{1}b")
        #expect(value?["line"] as? Int == 3)
        #expect(value?["column"] as? Int == 4)
        #expect(value?["path"] as? String == "x.\"y\"")
        #expect(value?["problem"] as? String == "é\n")
        #expect(value?["hint"] is NSNull)
        #expect(value?["severity"] as? String == "info")
    }

    /// A terminal shows issues: nothing from the file may steer it.
    @Test func controlCharactersNeverReachATerminal() {
        let text = load("\"\\e[31m\\u202e\\0\": 1\nlisten: \"\\e[2J\"\n").text
        #expect(
            !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E || $0.value == 0x7F })
        #expect(text.contains("\u{FFFD}[31m"))
    }

    @Test func allIssuesComeSortedByPlace() {
        let issues = load("b: 1\na: 2\nlisten: [x, y]\n").messages
        #expect(issues.map(\.line) == issues.map(\.line).sorted())
        #expect(issues.count == 5)
    }
}
