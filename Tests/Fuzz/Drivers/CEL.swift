import Bytes
import Expressions
import JSONBytes

private final class Host: EvaluationContext {
    let values: [Value]

    init() {
        var pairs = PairBlock()
        for (name, value) in [("a", "1"), ("b.c", "x y"), ("10", ""), ("a", "2")] {
            pairs.append(name: Array(name.utf8).span, value: Array(value.utf8).span)
        }
        let text = #"{"status":-1,"list":[1,2.5,"x",null,{"a":true}],"id":12345678901234567890,"":{}}"#
        let document = try? JSONDocument(parsing: Array(text.utf8))
        values = [
            document.map { .json($0.root) } ?? .null, .pairs(pairs, folding: true), .text("some text 中文"),
            Timestamp(seconds: 1_492_495_675).map { .timestamp($0) } ?? .null, .int(5),
        ]
    }

    func value(at index: Int) throws(EvaluationError) -> Value {
        guard values.indices.contains(index) else { throw .unavailable("value") }
        return values[index]
    }
}

private let scope = Scope(names: [
    ("json", .dyn), ("form", .pairs), ("text", .string), ("now", .timestamp), ("x", .dyn),
])

/// What functions may meet as arguments, by the word that a signature has for the type. In variables, so that nothing is
/// folded or refused when the expression is checked.
private func makeBoundaries() -> [(name: String, words: Set<Substring>, value: Value)] {
    let integers: [Int64] = [.min, .min + 1, -1, 0, 1, 64, .max - 1, .max]
    var list: [(words: Set<Substring>, value: Value)] = []
    for number in integers {
        list.append((["int", "number", "dyn"], .int(number)))
        list.append((["duration", "dyn"], .duration(nanoseconds: number)))
    }
    for number: UInt64 in [0, .max] { list.append((["uint", "number", "dyn"], .uint(number))) }
    for number in [0, -0.0, .nan, .infinity, -.infinity, 0x1p63, -0x1p63] {
        list.append((["double", "number", "dyn"], .double(number)))
    }
    for text in ["", "a,b", "-9223372036854775808", "%Y%", "\u{0}"] { list.append((["string", "dyn"], .text(text))) }
    list.append((["string", "dyn"], .string([0xFF, 0x80])))
    for bytes: [UInt8] in [[], [0xFF], Array(repeating: 0, count: 65)] {
        list.append((["bytes", "dyn"], .bytes(bytes[...])))
    }
    for seconds: Int64 in [-62_135_596_800, 0, 253_402_300_799] {
        if let time = Timestamp(seconds: seconds) { list.append((["timestamp", "dyn"], .timestamp(time))) }
    }
    list.append((["list", "list(string)", "list(pair)", "dyn"], .list(integers.map { .int($0) })))
    list.append((["list", "list(string)", "list(pair)", "dyn"], .list([])))
    list.append((["optional", "dyn"], .optional(.int(.min))))
    let document = try? JSONDocument(parsing: Array(#"{"a":-9223372036854775808,"b":[]}"#.utf8))
    list.append((["map", "dyn"], document.map { .json($0.root) } ?? .null))
    list.append((["pairs", "dyn"], .pairs(Percent.pairs(Array("a=1&a&=&b[]=%ff".utf8).span), folding: true)))
    list.append((["bool", "dyn"], .bool(true)))
    list.append((["null", "dyn"], .null))
    return list.enumerated().map { ("v\($0.offset)", $0.element.words, $0.element.value) }
}

private let boundaryScope = Scope(names: makeBoundaries().map { ($0.name, .dyn) })
private let signatures = FunctionTable.standard.functions.flatMap { $0.signatures.map(\.text) }

private final class Boundaries: EvaluationContext {
    let list = makeBoundaries()

    func value(at index: Int) throws(EvaluationError) -> Value { list[index].value }
}

/// A call of a function of the table with boundary values: the bytes choose the entry and the arguments.
private func call(_ bytes: UnsafeBufferPointer<UInt8>, _ boundaries: Boundaries) -> String? {
    guard bytes.count > 2 else { return nil }
    var text = signatures[(Int(bytes[0]) << 8 | Int(bytes[1])) % signatures.count][...]
    guard let arrow = text.ranges(of: " -> ").last else { return nil }
    text = text[..<arrow.lowerBound]
    var place = 2
    func argument(_ types: Substring) -> String? {
        let words = types.replacing("...", with: "").split(separator: "|").map { $0.drop { $0 == " " } }
        let fitting = boundaries.list.filter { boundary in words.contains { boundary.words.contains($0) } }
        defer { place += 1 }
        return fitting.isEmpty ? nil : fitting[Int(bytes[place % bytes.count]) % fitting.count].name
    }
    var receiver = ""
    if text.first == "(", let end = text.firstRange(of: ").") {
        guard let value = argument(text[text.index(after: text.startIndex)..<end.lowerBound]) else { return nil }
        receiver = value + "."
        text = text[end.upperBound...]
    }
    guard let open = text.firstIndex(of: "(") else { return nil }
    let arguments = text[text.index(after: open)...].dropLast().split(separator: ",").map { argument($0) }
    guard !arguments.contains(nil) else { return nil }
    return "\(receiver)\(text[..<open])(\(arguments.compactMap(\.self).joined(separator: ", ")))"
}

/// Any source as an expression and as a template: parse, check, evaluate, render. Nothing may trap or hang.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    var limits = ExpressionLimits()
    limits.steps = 20_000
    let host = Host()
    var output: [UInt8] = []
    let boundaries = Boundaries()
    if let source = call(UnsafeBufferPointer(start: bytes, count: count), boundaries) {
        // Every one compiles: the arguments are of no type that is known.
        guard let expression = try? Expression(parsing: source, in: boundaryScope, limits: limits) else {
            preconditionFailure("does not compile: \(source)")
        }
        if let value = try? expression.evaluate(boundaries) {
            value.appendText(to: &output)
            value.appendJSON(to: &output)
        }
    }
    if let expression = try? Expression(parsing: source, in: scope, limits: limits),
        let value = try? expression.evaluate(host)
    {
        value.appendText(to: &output)
        value.appendJSON(to: &output)
        precondition(Value.equal(value, value) || value.typeName.name != "string", "a string equals itself")
    }
    if let template = try? Template(parsing: source, in: scope, limits: limits) {
        try? template.append(to: &output, host)
    }
    return 0
}

/// The function table lives as long as the process, but its closures sit in an enum whose tag is kept in spare bits of their
/// pointers: the leak detector cannot see that they are reachable.
@c(__lsan_default_suppressions)
public func suppressions() -> UnsafePointer<CChar> {
    let text: StaticString = "leak:FunctionTable\nleak:_WZ\n"
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
