import Bytes

/// A text that PHP takes for a number (`is_numeric`): blanks around, a sign, digits, a fraction, an exponent.
enum PHPNumber: Equatable {
    case integer(Int64)
    case real(Double)

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }

    init?(_ text: [UInt8]) {
        var body = text[...]
        while let first = body.first, Self.isBlank(first) { body.removeFirst() }
        while let last = body.last, Self.isBlank(last) { body.removeLast() }
        guard let first = body.first, Self.hasNumberShape(body) else { return nil }
        let digits = first == 0x2B || first == 0x2D ? body.dropFirst() : body
        if let magnitude = ASCII.decimal(digits.span), let value = Int64(exactly: magnitude) {
            self = .integer(first == 0x2D ? -value : value)
            return
        }
        // `Double` takes no sign-less fraction less than PHP does: `.5` and `5.` are both fine.
        guard let value = Double(String(decoding: body, as: UTF8.self)) else { return nil }
        self = .real(value)
    }

    /// `(int)$text`: the digits in front, 0 when there are none; too big stays at the limit.
    static func leadingInteger(_ text: [UInt8]) -> Int64 {
        var body = text[...]
        while let first = body.first, isBlank(first) { body.removeFirst() }
        let isNegative = body.first == 0x2D
        if isNegative || body.first == 0x2B { body.removeFirst() }
        let digits = body.prefix { ASCII.isDigit($0) }
        guard !digits.isEmpty else { return 0 }
        let magnitude = ASCII.decimal(digits.span).flatMap { Int64(exactly: $0) } ?? .max
        return isNegative ? -magnitude : magnitude
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

    /// Sign, digits with at most one point and at least one digit, exponent. Keeps out what only `Double` reads
    /// (`inf`, `nan`, `0x1p3`).
    private static func hasNumberShape(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
        let whole = rest.prefix { ASCII.isDigit($0) }
        rest = rest[whole.endIndex...]
        var digits = whole.count
        if rest.first == 0x2E {
            rest.removeFirst()
            let fraction = rest.prefix { ASCII.isDigit($0) }
            digits += fraction.count
            rest = rest[fraction.endIndex...]
        }
        guard digits > 0 else { return false }
        guard let mark = rest.first else { return true }
        guard mark == 0x65 || mark == 0x45 else { return false }
        rest.removeFirst()
        if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
        return !rest.isEmpty && rest.allSatisfy { ASCII.isDigit($0) }
    }
}
