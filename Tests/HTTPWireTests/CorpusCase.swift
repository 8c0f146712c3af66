import Foundation
import Testing

/// One case of `Corpora/http1-requests.tsv`. Columns: id, `half` when the client closes its side, verdict, `close` when the
/// connection must close, allowed statuses (0: no answer), requests that may reach the upstream, raw bytes, then one
/// column per forwarded request: method, target, body (`=` base64, `#` length, `?` any), names that must be gone.
/// Raw bytes are parts joined by blanks, a part is atoms joined by commas with an optional `*repeat`, an atom is base64 or
/// a run `~HH:count`.
struct CorpusCase: Sendable, CustomTestStringConvertible {
    struct Forward: Sendable {
        let method: String
        let target: String
        let body: String
        let mustNotHave: [String]
    }
    let id: String
    let halfClose: Bool
    let verdict: String
    let close: Bool
    let statuses: [Int]
    let upstreamRequests: Int?
    let raw: [UInt8]
    let forwards: [Forward]

    var testDescription: String { id }

    static let all: [CorpusCase] = load()

    private static func load() -> [CorpusCase] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        guard let data = try? Data(contentsOf: folder.appendingPathComponent("Corpora/http1-requests.tsv")) else {
            return []
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map { CorpusCase(line: $0) }
    }

    private init(line: Substring) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        id = columns[0]
        halfClose = columns[1] == "half"
        verdict = columns[2]
        close = columns[3] == "close"
        statuses = columns[4].split(separator: ",").compactMap { Int($0) }
        upstreamRequests = Int(columns[5])
        raw = columns[6] == "-" ? [] : columns[6].split(separator: " ").flatMap(Self.part)
        forwards = columns.dropFirst(7).map { column in
            let parts = column.split(separator: " ").map(String.init)
            return Forward(
                method: parts[0], target: parts[1], body: parts[2],
                mustNotHave: parts[3] == "-" ? [] : parts[3].split(separator: ",").map(String.init))
        }
    }

    private static func part(_ text: Substring) -> [UInt8] {
        let pieces = text.split(separator: "*")
        let bytes = pieces[0].split(separator: ",").flatMap(atom)
        let times = pieces.count > 1 ? Int(pieces[1]) ?? 0 : 1
        return Array(repeatElement(bytes, count: times).joined())
    }

    private static func atom(_ text: Substring) -> [UInt8] {
        if text.hasPrefix("~") {
            let pieces = text.dropFirst().split(separator: ":")
            return Array(repeating: UInt8(pieces[0], radix: 16) ?? 0, count: Int(pieces[1]) ?? 0)
        }
        return base64(String(text))
    }

    static func base64(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }
}
