import Bytes

extension Lexer {
    /// `12`, `0x1F`, `12u`, `1.5`, `.5`, `1e3`, `1.5e-3`.
    mutating func number() throws(ExpressionIssue) -> Token.Kind {
        let start = position
        if peek() == UInt8(ascii: "0"), let mark = peek(1), mark | 0x20 == UInt8(ascii: "x") {
            position += 2
            return try integer(from: start, digitsFrom: position, radix: 16)
        }
        skipDigits()
        var isDouble = false
        if peek() == UInt8(ascii: "."), peek(1).map(ASCII.isDigit) == true {
            isDouble = true
            position += 1
            skipDigits()
        }
        if let mark = peek(), mark | 0x20 == UInt8(ascii: "e"), exponentFollows() {
            isDouble = true
            position += ASCII.isDigit(peek(1) ?? 0) ? 1 : 2
            skipDigits()
        }
        guard isDouble else { return try integer(from: start, digitsFrom: start, radix: 10) }
        try endOfNumber(from: start)
        let text = String(decoding: source[start..<position], as: UTF8.self)
        guard let value = Double(text.hasPrefix(".") ? "0" + text : text), value.isFinite else {
            throw ExpressionIssue("number is out of range", at: start)
        }
        return .double(value)
    }

    private mutating func skipDigits() {
        while let byte = peek(), ASCII.isDigit(byte) { position += 1 }
    }

    private func exponentFollows() -> Bool {
        guard let next = peek(1) else { return false }
        if ASCII.isDigit(next) { return true }
        return (next == UInt8(ascii: "+") || next == UInt8(ascii: "-")) && peek(2).map(ASCII.isDigit) == true
    }

    private mutating func integer(
        from start: Int, digitsFrom first: Int, radix: UInt64
    ) throws(ExpressionIssue) -> Token.Kind {
        var value: UInt64 = 0
        position = first
        while let byte = peek(), let digit = ASCII.hexValue(byte), UInt64(digit) < radix {
            let (product, overflow) = value.multipliedReportingOverflow(by: radix)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else { throw ExpressionIssue("number is out of range", at: start) }
            value = sum
            position += 1
        }
        guard position > first else { throw ExpressionIssue("hexadecimal digits are missing", at: start) }
        if let mark = peek(), mark | 0x20 == UInt8(ascii: "u") {
            position += 1
            try endOfNumber(from: start)
            return .unsigned(value)
        }
        try endOfNumber(from: start)
        return .integer(value)
    }

    /// `12abc` is a mistake, not two tokens.
    private func endOfNumber(from start: Int) throws(ExpressionIssue) {
        if let byte = peek(), ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") {
            throw ExpressionIssue("malformed number", at: start)
        }
    }
}
