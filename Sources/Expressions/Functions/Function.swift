/// A function of the language or of the host.
package struct Function: Sendable {
    package typealias Variadic = @Sendable ([Value]) throws(EvaluationError) -> Value
    package typealias Metered = @Sendable ([Value], inout Meter) throws(EvaluationError) -> Value

    /// The code. The receiver of a member function is the first argument; the number of arguments fits a signature,
    /// their types may not: a body answers a wrong type with `EvaluationError.noSuchOverload`.
    package enum Body: Sendable {
        case nullary(@Sendable () throws(EvaluationError) -> Value)
        case unary(@Sendable (Value) throws(EvaluationError) -> Value)
        case binary(@Sendable (Value, Value) throws(EvaluationError) -> Value)
        /// Three and more arguments, or a varying number.
        case variadic(Variadic)
        /// The same for work that is not in proportion to the size of the arguments: it says what it costs.
        case metered(Metered)
        /// A string or bytes into a string or bytes.
        case transform(Transform)
        /// `join`: the evaluator's own, so that the parts need not be values first.
        case join
    }

    /// - Parameter known: one per argument; `nil`: not known before the evaluation.
    typealias Check = @Sendable (_ known: [Value?]) throws(EvaluationError) -> Void

    /// Largest string, bytes or list that a function may make: 16 MiB, 1 Mi elements.
    static let outputLimit = 16 << 20
    static let elementLimit = 1 << 20

    package let signatures: [Signature]
    package let summary: String
    /// An expression that is true (checked by the tests), or empty.
    package let example: String
    /// Same arguments, same result: may be computed when the expression is checked.
    let isPure: Bool
    let body: Body
    /// Looks at those arguments that are known when an expression is checked, so that what can never work is an issue of
    /// the config and not an error of every request.
    var check: Check?
    /// What a call costs with the size of its arguments, and of its result.
    private(set) var cost = Cost.unknown

    /// - Parameters:
    ///   - signatures: All with the same name and the same style of call.
    ///   - isPure: False for clocks, nonces and whatever depends on more than the arguments.
    package init(
        _ signatures: String..., summary: String, example: String = "", isPure: Bool = true, body: Body
    ) {
        self.init(signatures, summary: summary, example: example, isPure: isPure, body: body)
    }

    package init(
        _ signatures: [String], summary: String, example: String = "", isPure: Bool = true, body: Body
    ) {
        precondition(!signatures.isEmpty, "a function needs a signature")
        self.signatures = signatures.map { Signature($0) }
        self.summary = summary
        self.example = example
        self.isPure = isPure
        self.body = body
    }

    private init(_ other: Function, isPure: Bool, body: Body) {
        (check, cost) = (other.check, other.cost)
        signatures = other.signatures
        summary = other.summary
        example = other.example
        self.isPure = isPure
        self.body = body
    }

    /// The same function with other code, which is called each time (never folded into a constant).
    func with(body: Body) -> Function { Function(self, isPure: false, body: body) }

    /// The same function, which looks at its arguments in advance.
    func checking(_ check: Check?) -> Function {
        var copy = self
        copy.check = check
        return copy
    }

    /// The same function, for which so much is charged.
    func costing(_ cost: Cost) -> Function {
        var copy = self
        copy.cost = cost
        return copy
    }

    /// Runs the code. The number of values fits a signature.
    func call(_ values: [Value]) throws(EvaluationError) -> Value {
        var meter = Meter()
        return try call(values, &meter)
    }

    func call(_ values: [Value], _ meter: inout Meter) throws(EvaluationError) -> Value {
        switch body {
        case .nullary(let code): return try code()
        case .unary(let code): return try code(values[0])
        case .binary(let code): return try code(values[0], values[1])
        case .variadic(let code): return try code(values)
        case .metered(let code): return try code(values, &meter)
        case .transform(let transform): return try transform.value(of: values[0])
        // The evaluator has its own code for it; nothing of it can be tried in advance.
        case .join: return .null
        }
    }

    package var name: String { signatures[0].name }
    package var isMember: Bool { signatures[0].isMember }
}
