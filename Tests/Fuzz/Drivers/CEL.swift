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

/// Any source as an expression and as a template: parse, check, evaluate, render. Nothing may trap or hang.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    var limits = ExpressionLimits()
    limits.steps = 20_000
    let host = Host()
    var output: [UInt8] = []
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
    let text: StaticString = "leak:FunctionTable\n"
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
