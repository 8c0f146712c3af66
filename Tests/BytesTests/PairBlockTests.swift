import Bytes
import Testing

/// Changes of a block in place, and the form decoder that fills one.
struct PairBlockTests {
    private static func block(_ names: [String]) -> PairBlock {
        var block = PairBlock()
        for (index, name) in names.enumerated() { block.append(name: Array(name.utf8), value: Array("\(index)".utf8)) }
        return block
    }

    private static func text(_ block: PairBlock) -> [String] {
        (0..<block.count).map { index in
            String(decoding: block.name(at: index), as: UTF8.self) + "="
                + String(decoding: block.value(at: index), as: UTF8.self)
        }
    }

    /// Short lists are sorted by insertion, long ones by the library; equal names stay in order in both.
    @Test(arguments: [0, 1, 3, 24, 25, 200])
    func sortIsStable(count: Int) {
        let names = (0..<count).map { "\(($0 * 7) % 5)" }
        var block = Self.block(names)
        block.sort { a, b, bytes in bytes[Int(a.nameStart)] > bytes[Int(b.nameStart)] }
        let expected = names.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
        #expect(Self.text(block) == expected.map { "\($0.element)=\($0.offset)" })
    }

    @Test func keepDropsTheRestAndLeavesCopiesAlone() {
        let whole = Self.block(["a", "b", "c", "d"])
        var part = whole
        part.keep { whole.bytes[$0.names] != [0x61] && whole.bytes[$0.names] != [0x64] }
        #expect(Self.text(part) == ["b=1", "c=2"])
        part.keep { _ in false }
        #expect(part.isEmpty && whole.count == 4)
    }

    @Test(arguments: [
        ("a=1&b=2", ["a=1", "b=2"]), ("", []), ("&&", []), ("a", ["a="]), ("=x", ["=x"]), ("a=b=c&", ["a=b=c"]),
        ("a+b=c+d", ["a b=c d"]), ("%41%3D%26=%3d+%26&b=1", ["A=&== &", "b=1"]),
        ("a=%4&b=%zz&%=%", ["a=%4", "b=%zz", "%=%"]),
        ("n=%E4%B8%AD&m=1%2", ["n=中", "m=1%2"]),
    ])
    func formsAreDecoded(text: String, expected: [String]) {
        let bytes = Array(text.utf8)
        #expect(Self.text(Percent.pairs(bytes.span)) == expected)
    }

    @Test func digitsReplaceTheTail() {
        var buffer: [UInt8] = [0x78, 0x00, 0xAB, 0xFF]
        Hex.encode(tailOf: &buffer, from: 1)
        #expect(String(decoding: buffer, as: UTF8.self) == "x00abff")
        Hex.encode(tailOf: &buffer, from: buffer.count, upper: true)
        #expect(buffer.count == 7)
    }
}
