import Bytes

/// Splits a source into tokens (CEL language definition, "Syntax"). Stops at the first thing that is no token.
struct Lexer {
    let source: [UInt8]
    var position: Int
    /// Inside a template: the closing brace of `${...}` ends the expression.
    let stopsAtBrace: Bool
    private var braces = 0

    init(_ source: [UInt8], from start: Int = 0, stopsAtBrace: Bool = false) {
        self.source = source
        position = start
        self.stopsAtBrace = stopsAtBrace
    }

    /// All tokens, the last of kind `.end`. Inside a template its range is the closing brace.
    mutating func tokens() throws(ExpressionIssue) -> [Token] {
        var result: [Token] = []
        while true {
            let token = try next()
            result.append(token)
            if token.kind == .end { return result }
        }
    }

    func peek(_ ahead: Int = 0) -> UInt8? {
        position + ahead < source.count ? source[position + ahead] : nil
    }

    private mutating func next() throws(ExpressionIssue) -> Token {
        skipBlanks()
        let start = position
        guard let byte = peek() else {
            if stopsAtBrace { throw ExpressionIssue("`${` is not closed", at: start) }
            return Token(kind: .end, start: start, end: start)
        }
        if stopsAtBrace, byte == UInt8(ascii: "}"), braces == 0 {
            position += 1
            return Token(kind: .end, start: start, end: position)
        }
        let kind: Token.Kind
        if let literal = try stringLiteral() {
            kind = literal
        } else if ASCII.isAlpha(byte) || byte == UInt8(ascii: "_") {
            kind = .identifier(identifier())
        } else if ASCII.isDigit(byte) || (byte == UInt8(ascii: ".") && peek(1).map(ASCII.isDigit) == true) {
            kind = try number()
        } else if byte == UInt8(ascii: "`") {
            kind = try quotedIdentifier()
        } else {
            kind = .symbol(try symbol())
        }
        return Token(kind: kind, start: start, end: position)
    }

    private mutating func skipBlanks() {
        while let byte = peek() {
            if byte == 0x20 || (byte >= 0x09 && byte <= 0x0D && byte != 0x0B) {
                position += 1
            } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
                while let byte = peek(), byte != 0x0A { position += 1 }
            } else {
                return
            }
        }
    }

    private mutating func identifier() -> String {
        let start = position
        while let byte = peek(), ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") {
            position += 1
        }
        return String(decoding: source[start..<position], as: UTF8.self)
    }

    /// `a.`content-type``: letters, digits, `_ . - /` and blanks.
    private mutating func quotedIdentifier() throws(ExpressionIssue) -> Token.Kind {
        let start = position
        position += 1
        while let byte = peek(), byte != UInt8(ascii: "`") {
            let allowed =
                ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") || byte == 0x20
            guard allowed else { throw ExpressionIssue("this cannot be in a quoted name", at: position) }
            position += 1
        }
        guard peek() != nil, position > start + 1 else {
            throw ExpressionIssue("quoted name is empty or not closed", at: start)
        }
        position += 1
        return .quotedIdentifier(String(decoding: source[start + 1..<position - 1], as: UTF8.self))
    }

    private mutating func symbol() throws(ExpressionIssue) -> Token.Symbol {
        guard let first = peek() else { throw ExpressionIssue("unexpected end", at: position) }
        if let second = peek(1), first < 0x80, second < 0x80,
            let pair = Token.Symbol(rawValue: String(decoding: [first, second], as: UTF8.self))
        {
            position += 2
            return pair
        }
        guard first < 0x80, let single = Token.Symbol(rawValue: String(UnicodeScalar(first))) else {
            throw unexpected(first)
        }
        position += 1
        if single == .leftBrace { braces += 1 }
        if single == .rightBrace { braces -= 1 }
        return single
    }

    private func unexpected(_ byte: UInt8) -> ExpressionIssue {
        let hint: String? =
            switch byte {
            case UInt8(ascii: "="): "compare with `==`"
            case UInt8(ascii: "&"): "write `&&`"
            case UInt8(ascii: "|"): "write `||`"
            case UInt8(ascii: "$"): "`${...}` belongs into a template, not into an expression"
            default: nil
            }
        let shown = byte > 0x20 && byte < 0x7F ? " `\(String(UnicodeScalar(byte)))`" : ""
        return ExpressionIssue("unexpected character\(shown)", hint: hint, at: position)
    }
}
