import Expressions
import Glibc

/// Calls every function with arguments as large as its steps allow, and compares the time with what is charged for it.
enum Costs {
    /// Nanoseconds that a step stands for.
    private static let step = 50.0

    private final class Arguments: EvaluationContext {
        var values: [Value] = []
        func value(at index: Int) throws(EvaluationError) -> Value { values[index] }
    }

    private struct Worst {
        var ratio = 0.0
        var time = 0.0
        var shape = ""
    }

    /// Prints what is dearer than it is charged; false when there is such a function.
    static func run(matching filter: String) -> Bool {
        let sizes = [4 << 20, 1 << 18].map { (size: $0, shapes: Library(CostShapes(size: $0))) }
        let small = Library(CostShapes(size: 64))
        var isHonest = true
        for function in FunctionTable.standard.functions where filter.isEmpty || function.name.contains(filter) {
            var worst = Worst()
            for signature in function.signatures {
                guard let expression = expression(function, signature) else { continue }
                for (size, shapes) in sizes {
                    measure(expression, signature.parameters, shapes, small, "\(size >> 10) KiB", &worst)
                }
            }
            let verdict = worst.ratio > 1.25 && worst.time > 1e6 || worst.time > 60e6 ? "TOO CHEAP" : ""
            if !verdict.isEmpty { isHonest = false }
            let name = function.name.padded(to: 26)
            print(
                "\(name) \(worst.ratio.shown) of its charge, \((worst.time / 1e6).shown) ms  \(worst.shape) \(verdict)")
        }
        return isHonest
    }

    private final class Library {
        private let shapes: CostShapes
        private var known: [String: [Value]] = [:]

        init(_ shapes: CostShapes) { self.shapes = shapes }

        func values(of type: StaticType) -> [Value] {
            if let values = known[type.name] { return values }
            let values = shapes.values(of: type)
            known[type.name] = values
            return values
        }
    }

    private static func expression(_ function: Function, _ signature: Signature) -> Expression? {
        let names = signature.parameters.indices.map { "a\($0)" }
        let source =
            signature.isMember
            ? "a0.\(signature.name)(\(names.dropFirst().joined(separator: ", ")))"
            : "\(signature.name)(\(names.joined(separator: ", ")))"
        return try? Expression(parsing: source, in: Scope(names: names.map { ($0, .dyn) }))
    }

    /// One argument large and the others such that the call works, then all of them large.
    private static func measure(
        _ expression: Expression, _ parameters: [[StaticType]], _ large: Library, _ small: Library, _ size: String,
        _ worst: inout Worst
    ) {
        let arguments = Arguments()
        for (place, types) in parameters.enumerated() {
            for type in types {
                for (shape, value) in large.values(of: type).enumerated() {
                    arguments.values = working(expression, parameters, small, place, type, shape)
                    arguments.values[place] = value
                    time(expression, arguments, "argument \(place): \(type.name) \(shape), \(size)", &worst)
                    for (other, types) in parameters.enumerated() where other != place {
                        guard let type = types.first else { continue }
                        let values = large.values(of: type)
                        arguments.values[other] = values[min(shape, values.count - 1)]
                    }
                    time(expression, arguments, "all: \(type.name) \(shape), \(size)", &worst)
                }
            }
        }
    }

    /// What makes some functions work at all.
    private static var keys: [Value] {
        [
            .text("a"), .text("0123456789abcdef"), .text("01234567"), .text("01234567890123456789012345678901"),
            .text("utf-8"),
            .text("dots"), .text("sha256"), .text("HS256"), .text("-"), .text("%Y"), .text("a,"), .bytes([1]), .int(1),
            .int(16), .list([.text("a")]), .text("(a)|b"), .double(1.5), .optional(.int(1)),
        ]
    }

    private static func working(
        _ expression: Expression, _ parameters: [[StaticType]], _ small: Library, _ place: Int, _ type: StaticType,
        _ shape: Int
    ) -> [Value] {
        let (arguments, keys) = (Arguments(), keys)
        let sample = small.values(of: type)[shape]
        for key in keys {
            for other in keys {
                arguments.values = parameters.indices.map {
                    $0 == place ? sample : ($0 == parameters.count - 1 ? other : key)
                }
                if (try? expression.evaluate(arguments)) != nil { return arguments.values }
                if parameters.count < 3 { break }
            }
        }
        arguments.values = parameters.indices.map { $0 == place ? sample : keys[0] }
        return arguments.values
    }

    private static func time(_ expression: Expression, _ arguments: Arguments, _ shape: String, _ worst: inout Worst) {
        var (steps, time) = (0, Double.infinity)
        for _ in 0..<3 {
            // CPU time, the least of three: other processes do not count, a page fault only once.
            let start = clock()
            steps = expression.steps(arguments)
            time = min(time, Double(clock() - start) * 1e9 / Double(CLOCKS_PER_SEC))
            if time < max(200_000, worst.ratio * Double(steps) * step) { return }
        }
        let ratio = time / (Double(min(steps, expression.budget)) * step)
        guard ratio > worst.ratio || time > 75e6 && time > worst.time else { return }
        worst = Worst(ratio: ratio, time: time, shape: shape)
    }
}

extension Double {
    fileprivate var shown: String { "\((self * 100).rounded() / 100)" }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
