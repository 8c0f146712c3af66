import Configuration
import Foundation
import Testing

/// Whatever is in the file, there is an outcome. (`Tests/Fuzz` looks further; this runs with every test.)
struct HostileInputTests {
    private static let texts: [String] = CaseTests.names.compactMap { name in
        let file = CaseTests.folder.appendingPathComponent(name)
        return (try? String(contentsOf: file, encoding: .utf8))?.components(separatedBy: "\n----------\n").first
    }

    @Test func everyBeginningOfAConfigHasAnOutcome() {
        let loader = ConfigLoader(environment: [:])
        for text in HostileInputTests.texts {
            let bytes = Array(text.utf8)
            for count in stride(from: 0, to: bytes.count, by: 31) {
                let outcome = loader.load(bytes: Array(bytes[..<count]), file: "c.yaml")
                #expect(outcome.isPlan || !outcome.messages.isEmpty)
            }
        }
    }

    @Test func everySpoiltByteHasAnOutcome() {
        let loader = ConfigLoader(environment: [:])
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let pool = Array("{}[]:,&*!|>'\"%@`#-?\n \t\\$".utf8) + [0, 0xC3, 0xFF]
        for text in HostileInputTests.texts {
            var bytes = Array(text.utf8)
            for _ in 0..<40 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let (place, byte) = (Int(state >> 33) % bytes.count, pool[Int(state >> 17 & 0xFFFF) % pool.count])
                let old = bytes[place]
                bytes[place] = byte
                let outcome = loader.load(bytes: bytes, file: "c.yaml")
                #expect(outcome.isPlan || outcome.messages.contains { $0.severity == .error })
                bytes[place] = old
            }
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            String(repeating: "[", count: 1 << 19), String(repeating: "{a: ", count: 1 << 17),
            String(repeating: "- ", count: 1 << 19), String(repeating: "a: 1\n", count: 100_000),
            "a: \"" + String(repeating: "\\u0041", count: 100_000) + "\"", String(repeating: "&a ", count: 100_000),
            "a: " + String(repeating: "x ", count: 500_000), "? " + String(repeating: "a", count: 1 << 19),
            String(repeating: "\n", count: 1 << 20), "a: >\n" + String(repeating: " x\n\n", count: 200_000),
            "listen: [" + String(repeating: "x,", count: 90_000) + "]",
        ].map(BigText.init))
    func bigInputsEndSoon(_ big: BigText) { #expect(!load(big.text).isPlan) }

    /// The runner prints every argument: as they are these would be eight megabytes of a log.
    struct BigText: CustomTestStringConvertible {
        let text: String
        var testDescription: String { "\(text.prefix(12).debugDescription)... of \(text.utf8.count) bytes" }
    }
}
