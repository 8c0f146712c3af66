import Bytes
import JSONBytes
import Testing

@testable import Expressions

/// No argument of any function may trap: client data reaches all of them. Each entry of the table is called with the
/// boundary values of every type that its signature takes, and with each mix of two of them.
struct BoundaryTests {
    private static let ints: [Int64] = [.min, .min + 1, -1, 0, 1, 64, .max - 1, .max]

    private static func samples(of type: StaticType) -> [Value] {
        switch type {
        case .int: ints.map { .int($0) }
        case .uint: [.uint(0), .uint(.max)]
        case .double:
            [0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 0x1p63, -0x1p63, 0x1p64].map { .double($0) }
        case .string:
            ["", "a", "a,中", "-9223372036854775808", "%", "%Y", "[", "\u{0}", "9.9e999", "+99:99"].map { .text($0) }
                + [.string([0xFF, 0x80]), .string(ArraySlice(repeating: 0xF0, count: 70))]
        case .bytes: [.bytes([]), .bytes([0xFF]), .bytes(ArraySlice(repeating: 0, count: 65))]
        case .timestamp:
            [Timestamp.earliest, 0, Timestamp.latest].compactMap { Timestamp(seconds: $0).map { .timestamp($0) } }
        case .duration: ints.map { .duration(nanoseconds: $0) }
        case .list: [.list([]), .list(ints.map { .int($0) }), .list([.null, .text("a"), .list([.double(.nan)])])]
        case .map: [.map(MapValue([])), .map(MapValue([("a", .int(.min)), ("", .null)]))]
        case .optional: [.optional(nil), .optional(.int(.min))]
        case .pairs:
            [
                .pairs(PairBlock(), folding: false),
                .pairs(Percent.pairs(Array("a=1&a&=&b[]=%ff".utf8).span), folding: true),
            ]
        default: [.null, .bool(true), .int(.min), .double(.nan), .text("a"), .list([.int(.max)])]
        }
    }

    /// Every value for each parameter; the others take their first and their last.
    private static func calls(_ signature: Signature) -> [[Value]] {
        let columns = signature.parameters.map { $0.flatMap(samples) }
        var result: [[Value]] = [columns.compactMap(\.first), columns.compactMap(\.last)]
        for (place, column) in columns.enumerated() {
            for value in column {
                for other in [columns.compactMap(\.first), columns.compactMap(\.last)] {
                    var call = other
                    call[place] = value
                    result.append(call)
                    for (second, values) in columns.enumerated() where second > place {
                        for value in values {
                            call[second] = value
                            result.append(call)
                        }
                    }
                }
            }
        }
        return result
    }

    @Test func everyFunctionWithEveryBoundary() {
        var (count, errors) = (0, 0)
        for function in FunctionTable.standard.functions where !function.name.hasPrefix("rsa.") {
            for signature in function.signatures {
                for call in Self.calls(signature) {
                    count += 1
                    do throws(EvaluationError) {
                        let value = try function.call(call)
                        var output: [UInt8] = []
                        value.appendText(to: &output)
                        value.appendJSON(to: &output)
                    } catch {
                        errors += 1
                        #expect(!error.description.isEmpty)
                    }
                }
            }
        }
        // Neither all of them can fail, nor none.
        #expect(count > 10_000 && errors > 1000 && errors < count - 1000, "\(count) calls, \(errors) errors")
    }

    @Test(arguments: ["replace('a', 'bb', x)", "split(',', x)", "split('', x)"], Self.ints)
    func aCountBelowZeroMeansAll(call: String, count: Int64) {
        let all = TestHost.outcome("'a,b,a'.\(call.replacing(", x)", with: ")"))")
        let outcome = TestHost.outcome("'a,b,a'.\(call)", TestHost(x: .int(count)))
        if count < 0 || count > 10 { #expect(outcome == all) }
        #expect(!outcome.hasPrefix("error"))
    }
}
