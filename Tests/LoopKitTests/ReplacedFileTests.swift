import Foundation
import Testing

@testable import LoopKit

/// The old content or the new one, never half of either, and nobody else's business.
@Suite struct ReplacedFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("replaced-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: [0, 1, 100_000]) func theNewContentTakesTheOldOnesPlace(_ count: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try ReplacedFile.write([1, 2, 3], to: path("f"))
        let bytes = [UInt8](repeating: 7, count: count)
        try ReplacedFile.write(bytes, to: path("f"))
        #expect(try Array(Data(contentsOf: folder.appendingPathComponent("f"))) == bytes)
        #expect(try names() == ["f"])
        let mode = try FileManager.default.attributesOfItem(atPath: path("f"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aFailureLeavesTheOldOneAndNoRest() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(atPath: path("taken/inside"), withIntermediateDirectories: true)
        #expect(throws: LoopError.self) { try ReplacedFile.write([1], to: path("taken")) }
        #expect(throws: LoopError.self) { try ReplacedFile.write([1], to: path("missing/f")) }
        #expect(throws: LoopError.self) { try ReplacedFile.write([1], to: path("a") + "\0b") }
        #expect(try names() == ["taken"])
    }

    @Test func aLinkInItsPlaceIsReplacedAndNotFollowed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("dear".utf8).write(to: folder.appendingPathComponent("other"))
        try FileManager.default.createSymbolicLink(atPath: path("f"), withDestinationPath: path("other"))
        try FileManager.default.createSymbolicLink(atPath: path(".f.new"), withDestinationPath: path("other"))
        try ReplacedFile.write([9], to: path("f"))
        #expect(try Data(contentsOf: folder.appendingPathComponent("other")) == Data("dear".utf8))
        #expect(try Data(contentsOf: folder.appendingPathComponent("f")) == Data([9]))
        #expect(try names() == ["f", "other"])
    }

    @Test func whatIsRemovedMayBeGoneAlready() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try ReplacedFile.write([9], to: path("f"))
        try ReplacedFile.remove(path("f"))
        try ReplacedFile.remove(path("f"))
        #expect(try names() == [])
    }

    @Test(arguments: [("", false), ("MAGIC and more", false), ("MAGI", true), ("dear diary", true)])
    func whatBeginsOtherwiseIsForeign(_ content: String, _ isForeign: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(content.utf8).write(to: folder.appendingPathComponent("f"))
        #expect(ReplacedFile.isForeign(path("f"), magic: Array("MAGIC".utf8)) == isForeign)
    }

    @Test func aFolderIsForeignAndAMissingFileIsNot() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(ReplacedFile.isForeign(folder.path, magic: [1]))
        #expect(!ReplacedFile.isForeign(path("f"), magic: [1]))
        #expect(!ReplacedFile.isForeign(path("g/f"), magic: [1]))
    }
}
