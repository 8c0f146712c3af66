import Bytes
import JSONBytes
import Testing

/// Hostile sizes: each limit is a counter, and work stays linear.
@Suite struct LimitTests {
    static func nested(_ open: String, _ close: String, _ depth: Int, core: String = "") -> [UInt8] {
        bytes(String(repeating: open, count: depth) + core + String(repeating: close, count: depth))
    }

    @Test func allows512LevelsAndRefusesOneMore() {
        #expect(refusal(Self.nested("[", "]", 512)) == nil)
        #expect(refusal(Self.nested("[", "]", 513)) == JSONError(.tooDeep, at: 512))
        #expect(refusal(Self.nested("{\"a\":", "}", 512, core: "0")) == nil)
        #expect(refusal(Self.nested("{\"a\":", "}", 513, core: "0")) == JSONError(.tooDeep, at: 512 * 5))
    }

    @Test func depthCountsOpenContainersOnly() {
        #expect(refusal(bytes("[[],[],[],[[]]]"), limits: JSONLimits(depth: 3)) == nil)
        #expect(refusal(bytes("[[],[],[],[[[]]]]"), limits: JSONLimits(depth: 3))?.kind == .tooDeep)
        #expect(refusal(bytes("1"), limits: JSONLimits(depth: 0)) == nil)
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func hundredThousandOpenBracketsAreAnError(_ open: String) {
        #expect(refusal(bytes(String(repeating: open, count: 100_000)))?.kind == .tooDeep)
    }

    @Test func hundredThousandLevelsNeedNoStack() throws {
        let deep = Self.nested("[", "]", 100_000)
        var value = try JSONDocument(parsing: deep, limits: JSONLimits(depth: 100_000)).root
        var depth = 1
        while let child = value.element(at: 0) {
            value = child
            depth += 1
        }
        #expect(depth == 100_000)
        #expect(value.count == 0)
    }

    @Test func countsNodesAndKeys() {
        #expect(refusal(bytes(#"{"a":[1,2]}"#), limits: JSONLimits(nodes: 5)) == nil)
        #expect(refusal(bytes(#"{"a":[1,2]}"#), limits: JSONLimits(nodes: 4))?.kind == .tooManyNodes)
        #expect(refusal(bytes("[]"), limits: JSONLimits(nodes: 0))?.kind == .tooManyNodes)
    }

    /// One node more than the limit is refused, wherever in the text it comes: also as the last value of all.
    @Test(arguments: [
        ("1", 1), ("[]", 1), ("[1]", 2), ("{}", 1), (#"{"a":1}"#, 3), (#"{"a":1,"b":"c"}"#, 5), (#"[{"a":[]}]"#, 4),
        (#"{"a":{"b":{"c":null}}}"#, 7), ("[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9]", 20),
    ])
    func limitOfNodesIsExact(_ text: String, _ nodes: Int) {
        #expect(refusal(bytes(text), limits: JSONLimits(nodes: nodes)) == nil)
        #expect(refusal(bytes(text), limits: JSONLimits(nodes: nodes - 1))?.kind == .tooManyNodes)
    }

    /// A tape that grows on its way says what one that had room at once says.
    @Test func tapeGrowsInsideNestedContainers() throws {
        let row = #"{"a":[1,2,[3]],"":{}}"#
        let table = try root("[" + Array(repeating: row, count: 2000).joined(separator: ",") + "]")
        #expect(table.count == 2000)
        #expect(table.elements.allSatisfy { text($0.raw) == row && $0.at("/a/2/0")?.int64 == 3 && $0.count == 2 })
    }

    @Test(.timeLimit(.minutes(1)))
    func longTokensStayLinear() throws {
        let digits = String(repeating: "9", count: 200_000)
        let number = try root("[\(digits)]").element(at: 0)
        #expect(number?.int64 == nil)
        #expect(number?.double == nil)
        #expect(number?.raw.count == 200_000)
        let escapes = try root("[\"" + String(repeating: "\\u0041", count: 1_000_000) + "\"]").element(at: 0)
        #expect(escapes?.string?.count == 1_000_000)
        let wide = try root("[" + String(repeating: "0,", count: 300_000) + "0]")
        #expect(wide.count == 300_001)
        #expect(wide.element(at: 300_000)?.int64 == 0)
    }

    @Test(.timeLimit(.minutes(1)))
    func searchGivesUpOnAWallOfBrackets() {
        #expect(JSONText.findDocument(bytes(String(repeating: "[1,{\"a\":", count: 500_000))) == nil)
    }
}
