import Foundation
import Testing

@testable import Configuration

struct CatalogueTests {
    static let schemaFile = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("config/schema.json")

    /// `UPDATE_CASES=1` writes it.
    @Test func theSchemaInTheTreeIsTheGeneratedOne() throws {
        if ProcessInfo.processInfo.environment["UPDATE_CASES"] == "1" {
            try FileManager.default.createDirectory(
                at: CatalogueTests.schemaFile.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(ConfigSchema.text.utf8).write(to: CatalogueTests.schemaFile)
        }
        #expect(try String(contentsOf: CatalogueTests.schemaFile, encoding: .utf8) == ConfigSchema.text)
    }

    @Test func theSchemaIsJSON() throws {
        let value = try JSONSerialization.jsonObject(with: Data(ConfigSchema.text.utf8)) as? [String: Any]
        let properties = try #require(value?["properties"] as? [String: Any])
        #expect(Set(properties.keys) == Set(KeyCatalogue.shapes.map(\.name)))
        #expect(value?["required"] as? [String] == ["listen"])
    }

    @Test func everyKeyIsDescribedOnce() {
        let rows = KeyCatalogue.rows
        #expect(rows.count > 120)
        #expect(rows.allSatisfy { $0.doc.hasSuffix(".") && $0.doc.utf8.count > 4 })
        #expect(Set(rows.map(\.path)).count == rows.count)
    }

    @Test(arguments: [
        ("limits.head_time", "a duration", "10s"), ("upstreams.NAME.timeouts.connect", "a duration", "3s"),
        ("routes[].limits.body", "a size", "10MiB"),
        ("sessions.NAME.wait.requests", "a number from 0 to 100000", "256"),
        ("upstreams.NAME.http", "1 | 2", "1"), ("log.access", "stdout | stderr | off, or absolute path", "stdout"),
        (
            "sessions.NAME.login[].request.method",
            "GET | HEAD | POST | PUT | DELETE | PATCH | OPTIONS, or another method", "POST"
        ),
    ])
    func rowsComeFromTheReader(_ path: String, _ type: String, _ defaultText: String) throws {
        let row = try #require(KeyCatalogue.rows.first { $0.path == path })
        #expect(row.type == type)
        #expect(row.defaultText == defaultText)
    }

    @Test func theReferenceHasOneLineForEachKey() {
        let lines = KeyReference.markdown.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("| `") }.count == KeyCatalogue.rows.count)
        #expect(lines.filter { $0.hasPrefix("## ") }.count == KeyCatalogue.shapes.count)
        // A bar inside a cell would end it.
        #expect(lines.contains { $0.hasPrefix("| `upstreams.NAME.http` | 1 \\| 2 | `1` |") })
    }
}
