extension Parser {
    /// `.field`, `.?field`, `.call(...)`, `[index]`, `[?index]`, any number of them.
    mutating func postfix(of primary: Syntax) throws(ExpressionIssue) -> Syntax {
        var operand = primary
        while true {
            if accept(.dot) {
                operand = try checked(try member(of: operand))
            } else if current.kind == .symbol(.leftBracket) {
                let offset = current.start
                advance()
                let isOptional = accept(.question)
                let index = try expression()
                try expect(.rightBracket)
                operand = try checked(
                    Syntax(.index(operand, index, isOptional: isOptional), at: offset, above: [operand, index]))
            } else {
                return operand
            }
        }
    }

    private mutating func member(of operand: Syntax) throws(ExpressionIssue) -> Syntax {
        let isOptional = accept(.question)
        let offset = current.start
        let name: String
        switch current.kind {
        case .identifier(let text):
            guard !["in", "true", "false", "null"].contains(text) else {
                throw ExpressionIssue(
                    "`\(text)` is a keyword", hint: "write `[\"\(text)\"]` for a field with that name", at: offset)
            }
            name = text
        case .quotedIdentifier(let text): name = text
        case .string(let text):
            let key = String(decoding: text, as: UTF8.self)
            throw ExpressionIssue(
                "expected a field name before \(current.description)",
                hint: "write `[\(isOptional ? "?" : "")\"\(key)\"]`, without the dot", at: offset)
        default:
            throw ExpressionIssue("expected a field name before \(current.description)", at: offset)
        }
        advance()
        if !isOptional, accept(.leftParenthesis) {
            let arguments = try self.arguments(until: .rightParenthesis)
            return Syntax(
                .call(target: operand, name: name, arguments: arguments), at: offset, above: [operand] + arguments)
        }
        return Syntax(.select(operand, field: name, isOptional: isOptional), at: offset, above: [operand])
    }

    mutating func arguments(until end: Token.Symbol) throws(ExpressionIssue) -> [Syntax] {
        var result: [Syntax] = []
        if accept(end) { return result }
        repeat { result.append(try expression()) } while accept(.comma)
        try expect(end)
        return result
    }

    mutating func primary() throws(ExpressionIssue) -> Syntax {
        let token = current
        switch token.kind {
        case .identifier(let name): return try named(name)
        case .integer(let magnitude):
            guard let value = Int64(exactly: magnitude) else {
                throw ExpressionIssue("number is out of range", hint: "write `u` behind it for a uint", at: token.start)
            }
            return literal(.int(value))
        case .unsigned(let value): return literal(.uint(value))
        case .double(let value): return literal(.double(value))
        case .string(let text): return literal(.string(text[...]))
        case .bytes(let bytes): return literal(.bytes(bytes[...]))
        case .symbol(.leftParenthesis):
            advance()
            let inner = try expression()
            try expect(.rightParenthesis)
            return inner
        case .symbol(.leftBracket): return try checked(try list())
        case .symbol(.leftBrace): return try checked(try map())
        case .symbol(.dot):
            advance()
            guard case .identifier(let name) = current.kind else {
                throw ExpressionIssue("expected a name before \(current.description)", at: current.start)
            }
            return try named(name)
        default:
            throw ExpressionIssue("expected an expression before \(token.description)", at: token.start)
        }
    }

    private mutating func literal(_ constant: Constant) -> Syntax {
        let offset = current.start
        advance()
        return Syntax(.constant(constant), at: offset)
    }

    private mutating func named(_ name: String) throws(ExpressionIssue) -> Syntax {
        let offset = current.start
        switch name {
        case "true": return literal(.bool(true))
        case "false": return literal(.bool(false))
        case "null": return literal(.null)
        default: break
        }
        guard name != "in", !Parser.isReserved(name) else {
            let hint = name == "if" ? "write `condition ? one : other`" : nil
            throw ExpressionIssue("`\(name)` is a reserved word", hint: hint, at: offset)
        }
        advance()
        guard accept(.leftParenthesis) else { return Syntax(.name(name), at: offset) }
        let arguments = try self.arguments(until: .rightParenthesis)
        return try checked(
            Syntax(.call(target: nil, name: name, arguments: arguments), at: offset, above: arguments))
    }

    private mutating func list() throws(ExpressionIssue) -> Syntax {
        let offset = current.start
        advance()
        var elements: [Syntax.Element] = []
        while !accept(.rightBracket) {
            let isOptional = accept(.question)
            elements.append(Syntax.Element(value: try expression(), isOptional: isOptional))
            if accept(.comma) { continue }
            try expect(.rightBracket)
            break
        }
        return Syntax(.list(elements), at: offset, above: elements.map(\.value))
    }

    private mutating func map() throws(ExpressionIssue) -> Syntax {
        let offset = current.start
        advance()
        var entries: [Syntax.Entry] = []
        while !accept(.rightBrace) {
            let isOptional = accept(.question)
            let key = try expression()
            try expect(.colon)
            entries.append(Syntax.Entry(key: key, value: try expression(), isOptional: isOptional))
            if accept(.comma) { continue }
            try expect(.rightBrace)
            break
        }
        return Syntax(.map(entries), at: offset, above: entries.flatMap { [$0.key, $0.value] })
    }
}
