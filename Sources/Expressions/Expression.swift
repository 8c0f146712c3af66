import Bytes
import Synchronization

/// One compiled CEL expression. Immutable and free of state: any thread may evaluate it, any number at a time.
package final class Expression: Sendable {
    package let source: String
    /// What is known about the type of the result.
    package let resultType: StaticType
    /// The names of the scope that are used, with the member that is looked up.
    package let references: Set<Reference>
    /// Names of the functions that are called (`url.decode`, `trim`).
    package let functions: Set<String>
    /// Name of the function that gives the result, where one call is all of it.
    package let outermost: String?
    /// What is looked up by constant names, each as the names on its way: `request.headers["a"]`, `request.headers.a` and
    /// `request.headers("a")` are `[request, headers, a]`.
    package let lookups: Set<[String]>
    /// What is probably not meant, though it can be evaluated.
    package let remarks: [ExpressionIssue]
    let node: Node
    /// Of the scope, by index.
    let rootNames: [String]
    let slotCount: Int
    let limits: ExpressionLimits

    /// - Parameter noting: is told the value, where constants and secrets make it (`Scope.known`). It may hold a secret.
    /// - Throws: every issue found; the parser stops at the first, the checker goes on.
    package convenience init(
        parsing source: String, in scope: Scope, limits: ExpressionLimits = ExpressionLimits(),
        noting: (Constant) -> Void = { _ in }
    ) throws(ExpressionIssues) {
        let bytes = Array(source.utf8)
        let tokens: [Token]
        do throws(ExpressionIssue) {
            guard bytes.count <= limits.sourceBytes else {
                throw ExpressionIssue("expression is too long (limit \(limits.sourceBytes) bytes)", at: 0)
            }
            var lexer = Lexer(bytes)
            tokens = try lexer.tokens()
        } catch {
            throw ExpressionIssues([error], in: bytes)
        }
        try self.init(tokens, source: source, bytes: bytes, in: scope, limits: limits, noting: noting)
    }

    init(
        _ tokens: [Token], source: String, bytes: [UInt8], in scope: Scope, limits: ExpressionLimits,
        noting: (Constant) -> Void = { _ in }
    ) throws(ExpressionIssues) {
        let syntax: Syntax
        do {
            var parser = Parser(tokens, limits: limits)
            syntax = try parser.parse()
        } catch {
            throw ExpressionIssues([error], in: bytes)
        }
        var compiler = Compiler(scope, steps: limits.steps)
        let typed = compiler.compile(syntax)
        guard compiler.issues.isEmpty else { throw ExpressionIssues(compiler.issues, in: bytes) }
        self.source = source
        self.limits = limits
        outermost =
            if case .call(let target, let name, _) = syntax.kind {
                target.map { $0.path.map { "\($0).\(name)" } ?? name } ?? name
            } else {
                nil
            }
        rootNames = scope.names.map(\.name)
        node = scope.functions.isRecording ? .followed(Followed(.ended(typed.node))) : typed.node
        resultType = typed.type
        references = compiler.references
        functions = compiler.called
        lookups = compiler.lookups
        remarks = compiler.remarks.map { $0.located(in: bytes) }
        slotCount = compiler.slotCount
        if let known = compiler.known(typed).flatMap({ Constant($0) }) { noting(known) }
    }

    /// The same source where other names are known.
    package func compiled(in scope: Scope) throws(ExpressionIssues) -> Expression {
        try Expression(parsing: source, in: scope, limits: limits)
    }

    /// Names of the scope that are used.
    package var names: Set<String> { Set(references.map(\.name)) }

    /// The result needs no context.
    package var isConstant: Bool {
        if case .followed(let followed) = node { followed.plain.constant != nil } else { node.constant != nil }
    }

    /// Computes the value.
    /// - Throws: why there is none; tells names and types, never a value.
    package func evaluate(_ context: any EvaluationContext) throws(EvaluationError) -> Value {
        do { return try attempt(context) } catch { throw told(error) }
    }

    /// As `evaluate`, where nobody reads the error: it says less.
    package func attempt(_ context: any EvaluationContext) throws(EvaluationError) -> Value {
        var evaluator = Evaluator(context, slots: slotCount, steps: limits.steps)
        do {
            let value = try evaluator.value(of: node)
            // The host makes text or JSON of it.
            if value.hasParts { try evaluator.meter.charge(value, .rendering) }
            return value
        } catch {
            throw Self.counted(error)
        }
    }

    /// Most steps of an evaluation.
    package var budget: Int { limits.steps }

    /// Steps that an evaluation takes, whether it ends in a value or in an error: for measurements.
    package func steps(_ context: any EvaluationContext) -> Int {
        var evaluator = Evaluator(context, slots: slotCount, steps: limits.steps)
        // Only its cost is asked for.
        _ = try? evaluator.value(of: node)
        return limits.steps - evaluator.meter.steps
    }

    /// Appends the text of the value (see `Value.appendText`), without the value where it is a text put together.
    func appendText(to output: inout [UInt8], _ context: any EvaluationContext) throws(EvaluationError) {
        var evaluator = Evaluator(context, slots: slotCount, steps: limits.steps)
        do {
            guard case .other(let value) = try evaluator.append(node, to: &output) else { return }
            if value.hasParts { try evaluator.meter.charge(value, .rendering) }
            value.appendText(to: &output)
        } catch {
            throw told(Self.counted(error))
        }
    }

    /// Evaluations in this process that took more than their steps: also those whose error only makes a test false.
    package static var refusals: UInt64 { UInt64(counter.load(ordering: .relaxed)) }
    private static let counter = Atomic<Int>(0)

    private static func counted(_ error: EvaluationError) -> EvaluationError {
        if error.kind == .budgetExceeded { counter.add(1, ordering: .relaxed) }
        return error
    }

    /// Types that do not fit say little without what they do not fit: the operator or the function at that place. Looks
    /// through all functions: for errors that somebody reads.
    private func told(_ error: EvaluationError) -> EvaluationError {
        if error.kind == .budgetExceeded || error.kind == .badConversion, !remarks.isEmpty {
            var copy = error
            copy.subject += (copy.subject.isEmpty ? "" : "; ") + Compiler.bodyHint
            return copy
        }
        guard error.kind == .noSuchOverload, error.offset >= 0, !error.subject.contains("`") else { return error }
        let rest = source.utf8.dropFirst(error.offset)
        let word = rest.prefix { ASCII.isAlpha($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
        let name = String(word.isEmpty ? rest.prefix { "+-*/%<>=!&|?".utf8.contains($0) } : word) ?? ""
        guard !name.isEmpty else { return error }
        let overloads = FunctionTable.standard.functions.filter { function in
            functions.contains(function.name) && (function.name == name || function.name.hasSuffix("." + name))
        }
        let texts = overloads.flatMap(\.signatures).map { "`\($0.text)`" }
        var copy = error
        copy.subject += " for `\(name)`" + (texts.isEmpty ? "" : "; there is " + texts.joined(separator: ", "))
        return copy
    }

    /// For predicates: true only when the value is `true`; an error counts as false (a field is missing, a type is
    /// wrong).
    package func holds(_ context: any EvaluationContext) -> Bool { (try? attempt(context))?.bool ?? false }
}
