/// Recursive descent over the tokens; precedence as in the CEL grammar. Ends at the first error.
struct Parser {
    private let tokens: [Token]
    private let limits: ExpressionLimits
    private var position = 0
    private var nesting = 0

    private static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace", "return", "var", "void", "while",
    ]

    init(_ tokens: [Token], limits: ExpressionLimits) {
        self.tokens = tokens
        self.limits = limits
    }

    /// The whole source as one expression.
    mutating func parse() throws(ExpressionIssue) -> Syntax {
        if current.kind == .end { throw ExpressionIssue("expression is empty", at: current.start) }
        let result = try expression()
        guard current.kind == .end else {
            throw ExpressionIssue("unexpected \(current.description)", hint: hintForExcess(), at: current.start)
        }
        return result
    }

    var current: Token { tokens[position] }

    mutating func advance() { if position < tokens.count - 1 { position += 1 } }

    mutating func accept(_ symbol: Token.Symbol) -> Bool {
        guard current.kind == .symbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: Token.Symbol) throws(ExpressionIssue) {
        guard accept(symbol) else {
            throw ExpressionIssue("expected `\(symbol.rawValue)` before \(current.description)", at: current.start)
        }
    }

    func checked(_ syntax: Syntax) throws(ExpressionIssue) -> Syntax {
        guard syntax.depth <= limits.depth else {
            throw ExpressionIssue("expression is too deep (limit \(limits.depth))", at: syntax.offset)
        }
        return syntax
    }

    mutating func enter() throws(ExpressionIssue) {
        nesting += 1
        guard nesting <= limits.nesting else {
            throw ExpressionIssue("nested too deeply (limit \(limits.nesting))", at: current.start)
        }
    }

    mutating func leave() { nesting -= 1 }

    mutating func expression() throws(ExpressionIssue) -> Syntax {
        try enter()
        let condition = try disjunction()
        guard current.kind == .symbol(.question) else {
            leave()
            return condition
        }
        let offset = current.start
        advance()
        let first = try disjunction()
        try expect(.colon)
        let second = try expression()
        leave()
        return try checked(
            Syntax(.conditional(condition, first, second), at: offset, above: [condition, first, second]))
    }

    private mutating func disjunction() throws(ExpressionIssue) -> Syntax {
        let first = try conjunction()
        guard current.kind == .symbol(.or) else { return first }
        let offset = current.start
        var operands = [first]
        while accept(.or) { operands.append(try conjunction()) }
        return try checked(Syntax(.any(operands), at: offset, above: operands))
    }

    private mutating func conjunction() throws(ExpressionIssue) -> Syntax {
        let first = try relation()
        guard current.kind == .symbol(.and) else { return first }
        let offset = current.start
        var operands = [first]
        while accept(.and) { operands.append(try relation()) }
        return try checked(Syntax(.all(operands), at: offset, above: operands))
    }

    private mutating func relation() throws(ExpressionIssue) -> Syntax {
        var left = try sum()
        while let kind = relationOperator() {
            let offset = current.start
            advance()
            let right = try sum()
            left = try checked(Syntax(.binary(kind, left, right), at: offset, above: [left, right]))
        }
        return left
    }

    private func relationOperator() -> Syntax.Operator? {
        switch current.kind {
        case .symbol(let symbol):
            switch symbol {
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
                Syntax.Operator(rawValue: symbol.rawValue)
            default: nil
            }
        case .identifier("in"): .contains
        default: nil
        }
    }

    private mutating func sum() throws(ExpressionIssue) -> Syntax {
        var left = try product()
        while true {
            let offset = current.start
            let kind: Syntax.Operator
            if accept(.plus) { kind = .add } else if accept(.minus) { kind = .subtract } else { return left }
            let right = try product()
            left = try checked(Syntax(.binary(kind, left, right), at: offset, above: [left, right]))
        }
    }

    private mutating func product() throws(ExpressionIssue) -> Syntax {
        var left = try unary()
        while true {
            let offset = current.start
            let kind: Syntax.Operator
            if accept(.star) {
                kind = .multiply
            } else if accept(.slash) {
                kind = .divide
            } else if accept(.percent) {
                kind = .remainder
            } else {
                return left
            }
            let right = try unary()
            left = try checked(Syntax(.binary(kind, left, right), at: offset, above: [left, right]))
        }
    }

    private mutating func unary() throws(ExpressionIssue) -> Syntax {
        let offset = current.start
        if accept(.not) {
            try enter()
            let operand = try unary()
            leave()
            return try checked(Syntax(.not(operand), at: offset, above: [operand]))
        }
        if current.kind == .symbol(.minus) {
            advance()
            if let literal = try negativeLiteral(at: offset) { return try postfix(of: literal) }
            try enter()
            let operand = try unary()
            leave()
            return try checked(Syntax(.negate(operand), at: offset, above: [operand]))
        }
        return try postfix(of: try primary())
    }

    /// `-1` is one literal, which is what lets the smallest integer be written.
    private mutating func negativeLiteral(at offset: Int) throws(ExpressionIssue) -> Syntax? {
        switch current.kind {
        case .integer(let magnitude):
            guard magnitude <= Int64.min.magnitude else { throw ExpressionIssue("number is out of range", at: offset) }
            advance()
            return Syntax(.constant(.int(Int64(truncatingIfNeeded: 0 &- magnitude))), at: offset)
        case .double(let value):
            advance()
            return Syntax(.constant(.double(-value)), at: offset)
        default:
            return nil
        }
    }

    private func hintForExcess() -> String? {
        switch current.kind {
        case .identifier("and"): "write `&&`"
        case .identifier("or"): "write `||`"
        case .symbol(.leftBrace): "messages are not supported; write a map `{\"name\": value}`"
        case .identifier, .string, .integer, .quotedIdentifier: "is an operator missing?"
        default: nil
        }
    }

    static func isReserved(_ name: String) -> Bool { reserved.contains(name) }
}
