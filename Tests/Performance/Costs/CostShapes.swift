import Bytes
import Expressions
import JSONBytes

/// Arguments of about so many bytes that make functions work: for each type the shapes that are known to be dear.
struct CostShapes {
    let size: Int

    func values(of type: StaticType) -> [Value] {
        switch type {
        case .string: texts.map { .string($0[...]) } + [json("\"\(String(repeating: "\\n", count: size / 2))\"")]
        case .bytes: [texts[0], texts[4]].map { .bytes($0[...]) }
        case .list: lists
        case .map: maps
        case .pairs: pairs
        case .optional: [.optional(.string(texts[0][...])), .optional(nil)]
        case .int: [1, 1000, 4096, 65_536, 1_000_000, .max].map { .int($0) }
        case .uint: [.uint(.max)]
        case .double: [.double(1e308), .double(0.1)]
        case .bool: [.bool(true)]
        case .timestamp: Timestamp(seconds: 1).map { [.timestamp($0)] } ?? []
        case .duration: [.duration(nanoseconds: 1)]
        default: Array(texts.prefix(3)).map { .string($0[...]) } + lists + maps + pairs
        }
    }

    private func filled(_ unit: String) -> [UInt8] {
        let unit = Array(unit.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(size + unit.count)
        while output.count < size { output += unit }
        return output
    }

    private var texts: [[UInt8]] {
        let members = (0..<size / 12).map { "\"k\($0)\":1" }.joined(separator: ",")
        return [
            "a", "a,", "é", " ", "\\", "\"", "\u{1}", "%41", "0", "a=1&", "&", "0a", "YWFh", "%", "%s", "[", "a b ",
            "=?", ".a", "/../a",
        ].map(filled)
            + [
                "[\(String(repeating: "1,", count: size / 2))1]", "{\(members)}",
                "\"\(String(repeating: "\\n", count: size / 2))\"",
                "<x>\(String(repeating: "<b/>", count: size / 4))</x>",
                "<x>\(String(repeating: "&amp;", count: size / 5))</x>",
                "<x>\((0..<size / 16).map { "<b\($0) c='1'/>" }.joined())</x>",
                "eyJhbGciOiJub25lIn0.\(String(repeating: "eyJh", count: size / 4)).x",
            ].map { Array($0.utf8) }
    }

    private var lists: [Value] {
        let count = size / 16
        func list(_ element: (Int) -> Value) -> Value { .list((0..<count).map(element)) }
        let long = filled("a").prefix(max(1, size / 64))
        return [
            list { .int(Int64($0)) }, list { .text("k\(($0 &* 7919) % count)") }, list { _ in .double(1e308) },
            list { .text("\($0)") }, list { _ in .list([.list([])]) }, list { _ in .string([0x61]) },
            list { _ in .optional(.int(1)) }, list { .bytes([UInt8(truncatingIfNeeded: $0)]) },
            list { .map(MapValue([("name", .text("a[\(count - $0)]")), ("value", .text("1"))])) },
            .list((0..<64).map { .text(long + [UInt8($0)]) }),
            json("[\(String(repeating: "1,", count: size / 2))1]"),
            json("[\(String(repeating: "1.5e300,", count: size / 8))1]"),
            json("[\(String(repeating: "[1],", count: size / 4))1]"),
            json("[\(String(repeating: "{\"name\":\"a\",\"value\":\"b\"},", count: size / 26))1]"),
        ]
    }

    private var maps: [Value] {
        let count = size / 16
        return [
            .map(MapValue((0..<count).map { ("k\($0)", .int(Int64($0))) })),
            json("{\((0..<count).map { "\"k\($0)\":\"v\"" }.joined(separator: ","))}"),
            json("{\"a\":[\(String(repeating: "{\"b\":[1]},", count: size / 10))1]}"),
            json("{\((0..<count).map { "\"\\u00e9\($0)\":1.5" }.joined(separator: ","))}"),
        ]
    }

    private var pairs: [Value] {
        [
            (0..<size / 8).map { "k\($0)=v" }.joined(separator: "&"),
            (0..<size / 8).map { "\($0)=" }.joined(separator: "&"),
            "a=\(String(repeating: "%2F", count: size / 3))",
            (0..<64).map { "\(String(repeating: "a", count: size / 64))\($0)=" }.joined(separator: "&"),
            String(repeating: "a=1&", count: size / 4),
        ].map { .pairs(Percent.pairs(Array($0.utf8).span), folding: false) }
    }

    private func json(_ text: String) -> Value {
        (try? JSONDocument(parsing: Array(text.utf8))).map { .json($0.root) } ?? .null
    }
}
