/// One token of the source, with its byte range.
struct Token {
    enum Kind: Equatable {
        case identifier(String)
        /// A field name in back-ticks.
        case quotedIdentifier(String)
        /// Without a sign: `-9223372036854775808` is a minus and a magnitude.
        case integer(UInt64)
        case unsigned(UInt64)
        case double(Double)
        case string([UInt8])
        case bytes([UInt8])
        case symbol(Symbol)
        case end
    }

    enum Symbol: String {
        case leftParenthesis = "(", rightParenthesis = ")", leftBracket = "[", rightBracket = "]"
        case leftBrace = "{", rightBrace = "}", dot = ".", comma = ",", colon = ":", question = "?"
        case plus = "+", minus = "-", star = "*", slash = "/", percent = "%", not = "!"
        case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
        case and = "&&", or = "||"
    }

    var kind: Kind
    var start: Int
    var end: Int

    /// How an error message calls it. A literal is not shown: it may be a secret that should not be there.
    var description: String {
        switch kind {
        case .identifier(let name), .quotedIdentifier(let name): "`\(name)`"
        case .integer, .unsigned, .double: "a number"
        case .string: "a string"
        case .bytes: "a bytes literal"
        case .symbol(let symbol): "`\(symbol.rawValue)`"
        case .end: "the end"
        }
    }
}
