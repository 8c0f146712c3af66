/// Escapes and character classes.
extension PatternParser {
    mutating func escape() throws(Pattern.Failure) -> PatternTree {
        position += 1
        guard let letter = peek() else { throw Pattern.Failure(message: "`\\` at the end") }
        switch letter {
        case "A": return advance(.check(.textStart))
        case "z": return advance(.check(.textEnd))
        case "b": return advance(.check(.wordBoundary))
        case "B": return advance(.check(.noWordBoundary))
        case "Q":
            position += 1
            var parts: [PatternTree] = []
            while position < scalars.count, !accept("\\E") {
                parts.append(literal(scalars[position]))
                position += 1
            }
            return .sequence(parts)
        default:
            if let item = try classEscape() { return .set(ScalarSet([item], foldsCase: flags.foldsCase)) }
            return literal(try scalarEscape())
        }
    }

    private mutating func advance(_ tree: PatternTree) -> PatternTree {
        position += 1
        return tree
    }

    /// `\d`, `\W`, `\pL`, `\P{Lu}`; the backslash is already read.
    private mutating func classEscape() throws(Pattern.Failure) -> ScalarSet.Item? {
        guard let letter = peek() else { return nil }
        let item: ScalarSet.Item
        switch letter {
        case "d", "D": item = .digit
        case "w", "W": item = .word
        case "s", "S": item = .space
        case "p", "P":
            position += 1
            var name = ""
            if accept("{") {
                while let next = peek(), next != "}" {
                    name.append(next)
                    position += 1
                }
            } else if let next = peek() {
                name.append(next)
            }
            guard ScalarSet.categories.contains(name), position < scalars.count else {
                throw Pattern.Failure(message: "unknown Unicode category")
            }
            item = .category(name)
        default: return nil
        }
        position += 1
        return letter.isUppercase ? .not(item) : item
    }

    /// A character that is written with a backslash, which is already read.
    private mutating func scalarEscape() throws(Pattern.Failure) -> UInt32 {
        let scalar = scalars[position]
        guard let letter = peek() else { throw Pattern.Failure(message: "`\\` at the end") }
        position += 1
        switch letter {
        case "a": return 0x07
        case "f": return 0x0C
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        case "v": return 0x0B
        case "x": return try hexadecimal()
        case "0"..."7":
            // `\1` would be a back-reference; octal is written with a leading zero.
            guard letter == "0" else { throw Pattern.Failure(message: "back-references are not supported") }
            var value: UInt32 = 0
            var digits = 0
            while digits < 2, let digit = peek()?.wholeNumberValue, digit < 8 {
                value = value * 8 + UInt32(digit)
                position += 1
                digits += 1
            }
            return value
        default:
            guard scalar >= 0x80 || !(letter.isLetter || letter.isNumber) else {
                throw Pattern.Failure(message: "unknown escape")
            }
            return scalar
        }
    }

    private mutating func hexadecimal() throws(Pattern.Failure) -> UInt32 {
        let isBraced = accept("{")
        var (value, digits): (UInt32, Int) = (0, 0)
        while digits < (isBraced ? 8 : 2), let digit = peek()?.hexDigitValue {
            value = value << 4 | UInt32(digit)
            position += 1
            digits += 1
        }
        guard digits > (isBraced ? 0 : 1), !isBraced || accept("}"), UnicodeScalar(value) != nil else {
            throw Pattern.Failure(message: "bad hexadecimal escape")
        }
        return value
    }

    /// `[a-z]`, `[^\d_]`, `[[:alpha:]]`; the opening bracket is already read.
    mutating func bracketed() throws(Pattern.Failure) -> ScalarSet {
        let isNegated = accept("^")
        var items: [ScalarSet.Item] = []
        var isFirst = true
        while isFirst || peek() != "]" {
            guard peek() != nil else { throw Pattern.Failure(message: "`[` is not closed") }
            isFirst = false
            if peek() == "[", peek(1) == ":" {
                items += try namedClass()
                continue
            }
            guard let low = try member(into: &items) else { continue }
            guard peek() == "-", let after = peek(1), after != "]" else {
                items.append(.range(low, low))
                continue
            }
            position += 1
            var others: [ScalarSet.Item] = []
            guard let high = try member(into: &others), low <= high else {
                throw Pattern.Failure(message: "bad range in `[...]`")
            }
            items.append(.range(low, high))
        }
        position += 1
        return ScalarSet(items, isNegated: isNegated, foldsCase: flags.foldsCase)
    }

    /// One character, or `nil` after a class such as `\d` was added.
    private mutating func member(into items: inout [ScalarSet.Item]) throws(Pattern.Failure) -> UInt32? {
        guard position < scalars.count else { throw Pattern.Failure(message: "`[` is not closed") }
        guard peek() == "\\" else {
            position += 1
            return scalars[position - 1]
        }
        position += 1
        if let item = try classEscape() {
            items.append(item)
            return nil
        }
        return try scalarEscape()
    }

    private mutating func namedClass() throws(Pattern.Failure) -> [ScalarSet.Item] {
        position += 2
        let isNegated = accept("^")
        for (name, items) in PatternParser.namedClasses where accept(name + ":]") {
            guard isNegated else { return items }
            guard items.count == 1 else { break }
            return [.not(items[0])]
        }
        throw Pattern.Failure(message: "unknown class `[:...:]`")
    }

    private static let namedClasses: [(String, [ScalarSet.Item])] = [
        ("alpha", [.range(0x41, 0x5A), .range(0x61, 0x7A)]),
        ("digit", [.digit]),
        ("alnum", [.digit, .range(0x41, 0x5A), .range(0x61, 0x7A)]),
        ("upper", [.range(0x41, 0x5A)]),
        ("lower", [.range(0x61, 0x7A)]),
        ("space", [.range(0x09, 0x0D), .range(0x20, 0x20)]),
        ("blank", [.range(0x09, 0x09), .range(0x20, 0x20)]),
        ("punct", [.range(0x21, 0x2F), .range(0x3A, 0x40), .range(0x5B, 0x60), .range(0x7B, 0x7E)]),
        ("xdigit", [.digit, .range(0x41, 0x46), .range(0x61, 0x66)]),
        ("word", [.word]),
        ("cntrl", [.range(0, 0x1F), .range(0x7F, 0x7F)]),
        ("print", [.range(0x20, 0x7E)]),
        ("graph", [.range(0x21, 0x7E)]),
        ("ascii", [.range(0, 0x7F)]),
    ]
}
