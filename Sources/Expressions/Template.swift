import Bytes

/// Text with `${expression}` in it; `$${` stands for `${`.
package final class Template: Sendable {
    private enum Piece: Sendable {
        case literal([UInt8])
        case expression(Expression)
    }

    package let source: String
    private let pieces: [Piece]
    /// What is probably not meant, in order; offsets count from the start of the template.
    package let remarks: [ExpressionIssue]
    private let isRecording: Bool

    /// - Throws: the issues of every expression in it; offsets count from the start of the template.
    package init(
        parsing source: String, in scope: Scope, limits: ExpressionLimits = ExpressionLimits()
    ) throws(ExpressionIssues) {
        let bytes = Array(source.utf8)
        var (pieces, issues, remarks): ([Piece], [ExpressionIssue], [ExpressionIssue]) = ([], [], [])
        var (literal, position): ([UInt8], Int) = ([], 0)
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "$"), position + 1 < bytes.count else {
                literal.append(bytes[position])
                position += 1
                continue
            }
            if bytes[position...].starts(with: "$${".utf8) {
                if (try? Template.expression(at: position + 1, source: source, bytes: bytes, in: scope, limits: limits))
                    != nil
                {
                    remarks.append(Template.swallowed(at: position).located(in: bytes))
                }
                literal.append(contentsOf: "${".utf8)
                position += 3
            } else if bytes[position + 1] == UInt8(ascii: "{") {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = []
                do {
                    let (expression, end) = try Template.expression(
                        at: position, source: source, bytes: bytes, in: scope, limits: limits)
                    pieces.append(.expression(expression))
                    position = end
                } catch {
                    issues += error.issues
                    guard let end = Template.end(of: bytes, from: position) else { break }
                    position = end
                }
            } else {
                literal.append(bytes[position])
                position += 1
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        guard issues.isEmpty else { throw ExpressionIssues(issues, in: bytes) }
        self.source = source
        self.pieces = pieces
        self.remarks = remarks
        isRecording = scope.functions.isRecording
    }

    /// The text behind an escape would be an expression: a dollar sign before a value was meant, most likely.
    private static func swallowed(at position: Int) -> ExpressionIssue {
        ExpressionIssue(
            "`$${` stands for the text `${`: what follows is sent as it is written",
            hint: "for a dollar sign before a value write `${\"$\" + ...}`", at: position)
    }

    private static func expression(
        at position: Int, source: String, bytes: [UInt8], in scope: Scope, limits: ExpressionLimits
    ) throws(ExpressionIssues) -> (Expression, Int) {
        let tokens: [Token]
        do throws(ExpressionIssue) {
            guard bytes.count <= limits.sourceBytes else {
                throw ExpressionIssue("template is too long (limit \(limits.sourceBytes) bytes)", at: 0)
            }
            var lexer = Lexer(bytes, from: position + 2, stopsAtBrace: true)
            tokens = try lexer.tokens()
        } catch {
            throw ExpressionIssues([error], in: bytes)
        }
        let expression = try Expression(tokens, source: source, bytes: bytes, in: scope, limits: limits)
        return (expression, tokens.last?.end ?? bytes.count)
    }

    /// Where to go on after an expression that is wrong; `nil` when its end cannot be found.
    private static func end(of bytes: [UInt8], from position: Int) -> Int? {
        var lexer = Lexer(bytes, from: position + 2, stopsAtBrace: true)
        guard let tokens = try? lexer.tokens() else { return nil }
        return tokens.last?.end
    }

    /// Holds no expression that needs a context.
    package var isConstant: Bool {
        pieces.allSatisfy { piece in
            if case .expression(let expression) = piece { expression.isConstant } else { true }
        }
    }

    /// The names of the scope that are used, with the member that is looked up.
    package var references: Set<Reference> {
        pieces.reduce(into: []) { result, piece in
            if case .expression(let expression) = piece { result.formUnion(expression.references) }
        }
    }

    /// In order.
    package var expressions: [Expression] {
        pieces.compactMap { piece in
            if case .expression(let expression) = piece { expression } else { nil }
        }
    }

    /// What is looked up by constant names (`Expression.lookups`).
    package var lookups: Set<[String]> { expressions.reduce(into: []) { $0.formUnion($1.lookups) } }

    /// Names of the scope that are used.
    package var names: Set<String> { Set(references.map(\.name)) }

    /// Type of the value: of the expression when the template is one and nothing else, otherwise string.
    package var resultType: StaticType { single?.resultType ?? .string }

    /// One `${...}` and nothing else: the value keeps its type.
    package var isExpression: Bool { single != nil }

    private var single: Expression? {
        if pieces.count == 1, case .expression(let expression) = pieces[0] { expression } else { nil }
    }

    /// The value: of the expression when the template is one `${...}` and nothing else, otherwise the text.
    /// - Throws: the error of the first expression that has no value.
    package func evaluate(_ context: any EvaluationContext) throws(EvaluationError) -> Value {
        if let single { return try single.evaluate(context) }
        var text: [UInt8] = []
        try append(to: &text, context)
        return .text(text)
    }

    /// Appends the text (see `Value.appendText`). On an error, what was appended before it stays: cut it off or drop
    /// it.
    package func append(
        to output: inout [UInt8], _ context: any EvaluationContext
    ) throws(EvaluationError) {
        let (start, trail) = (output.count, isRecording ? context.trail : nil)
        let mark = trail?.mark
        for piece in pieces {
            switch piece {
            case .literal(let bytes): output.append(copying: bytes.span)
            case .expression(let expression): try expression.appendText(to: &output, context)
            }
        }
        if let trail, let mark { trail.took(.text(Array(output[start...])), since: mark) }
    }

    /// As `append`, with the text of each expression escaped for the place it goes to; literal text stays.
    package func append(
        to output: inout [UInt8], _ context: any EvaluationContext,
        escaping escape: (ArraySlice<UInt8>, inout [UInt8]) -> Bool
    ) throws(EvaluationError) {
        try append(to: &output, context) { text, _, output in escape(text, &output) }
    }

    /// The same; the second argument of `escape` counts the expressions.
    package func append(
        to output: inout [UInt8], _ context: any EvaluationContext,
        escaping escape: (ArraySlice<UInt8>, Int, inout [UInt8]) -> Bool
    ) throws(EvaluationError) {
        var count = 0
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes): output.append(copying: bytes.span)
            case .expression(let expression):
                let value = try expression.evaluate(context)
                if case .string(let part) = value {
                    guard escape(part, count, &output) else { throw .argument("text for this place") }
                    count += 1
                    continue
                }
                text.removeAll(keepingCapacity: true)
                value.appendText(to: &text)
                guard escape(text[...], count, &output) else { throw .argument("text for this place") }
                count += 1
            }
        }
    }
}
