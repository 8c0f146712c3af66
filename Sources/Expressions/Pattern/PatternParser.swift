/// Reads the syntax of RE2. What RE2 refuses, or what only a backtracking engine can do, is refused.
struct PatternParser {
    struct Flags {
        var foldsCase = false
        var dotAll = false
        var multiline = false
        /// `x*` takes as little as it can, and `x*?` as much.
        var isUngreedy = false
    }

    var scalars: [UInt32]
    var position = 0
    var flags = Flags()
    private var depth = 0
    /// Groups so far.
    private(set) var groups = 0

    init(_ source: ArraySlice<UInt8>) {
        scalars = String(decoding: source, as: UTF8.self).unicodeScalars.map(\.value)
    }

    mutating func parse() throws(Pattern.Failure) -> PatternTree {
        let tree = try alternatives()
        guard position == scalars.count else { throw Pattern.Failure(message: "`)` without `(`") }
        return tree
    }

    func peek(_ ahead: Int = 0) -> Character? {
        position + ahead < scalars.count ? UnicodeScalar(scalars[position + ahead]).map { Character($0) } : nil
    }

    mutating func accept(_ text: String) -> Bool {
        let wanted = text.unicodeScalars.map(\.value)
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func alternatives() throws(Pattern.Failure) -> PatternTree {
        depth += 1
        guard depth <= 100 else { throw Pattern.Failure(message: "groups are nested too deeply") }
        defer { depth -= 1 }
        var parts = [try sequence()]
        while accept("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .alternatives(parts)
    }

    private mutating func sequence() throws(Pattern.Failure) -> PatternTree {
        var parts: [PatternTree] = []
        while let next = peek(), next != "|", next != ")" {
            parts.append(try repeated(try atom()))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// `*`, `+`, `?`, `{n}`, `{n,}`, `{n,m}`; a `?` behind them changes which match is found, not whether there is one.
    private mutating func repeated(_ atom: PatternTree) throws(Pattern.Failure) -> PatternTree {
        var tree = atom
        var count = 0
        while let bounds = try bounds() {
            count += 1
            guard count == 1 else { throw Pattern.Failure(message: "repetition of a repetition") }
            let isLazy = accept("?") != flags.isUngreedy
            tree = .repetition(tree, atLeast: bounds.least, atMost: bounds.most, isLazy: isLazy)
        }
        return tree
    }

    private mutating func bounds() throws(Pattern.Failure) -> (least: Int, most: Int?)? {
        if accept("*") { return (0, nil) }
        if accept("+") { return (1, nil) }
        if accept("?") { return (0, 1) }
        let start = position
        guard accept("{"), let least = number() else {
            position = start
            return nil
        }
        var most: Int? = least
        if accept(",") { most = number() }
        guard accept("}") else {
            position = start
            return nil
        }
        guard least <= 1000, most ?? 0 <= 1000, least <= most ?? 1000 else {
            throw Pattern.Failure(message: "bad repetition count")
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek()?.wholeNumberValue, let character = peek(), character.isASCII, value ?? 0 <= 1000 {
            value = (value ?? 0) * 10 + digit
            position += 1
        }
        return value
    }

    private mutating func atom() throws(Pattern.Failure) -> PatternTree {
        let scalar = scalars[position]
        switch peek() {
        case "(": return try group()
        case "[":
            position += 1
            return .set(try bracketed())
        case ".":
            position += 1
            return flags.dotAll ? .any : .set(ScalarSet([.range(0x0A, 0x0A)], isNegated: true))
        case "^":
            position += 1
            return .check(flags.multiline ? .lineStart : .textStart)
        case "$":
            position += 1
            return .check(flags.multiline ? .lineEnd : .textEnd)
        case "*", "+", "?": throw Pattern.Failure(message: "nothing to repeat")
        case "\\": return try escape()
        default:
            position += 1
            return literal(scalar)
        }
    }

    func literal(_ scalar: UInt32) -> PatternTree {
        guard flags.foldsCase, !ScalarSet.variants(of: scalar).isEmpty else { return .scalar(scalar) }
        return .set(ScalarSet([.range(scalar, scalar)], foldsCase: true))
    }

    private mutating func group() throws(Pattern.Failure) -> PatternTree {
        let saved = flags
        var number: Int? = groups + 1
        position += 1
        if accept("?") {
            if accept("P<") || (peek() == "<" && peek(1) != "=" && peek(1) != "!") {
                while let next = peek(), next != ">" { position += next == "(" || next == ")" ? scalars.count : 1 }
                guard accept(">") else { throw Pattern.Failure(message: "bad group name") }
            } else if try setFlags() {
                // `(?i)` holds until the end of the group around it.
                return .empty
            } else {
                number = nil
            }
        }
        if let number { groups = number }
        let tree = try alternatives()
        guard accept(")") else { throw Pattern.Failure(message: "`(` is not closed") }
        flags = saved
        return number.map { .group(tree, $0) } ?? tree
    }

    /// True for `(?i)`, false for `(?i:`.
    private mutating func setFlags() throws(Pattern.Failure) -> Bool {
        var value = true
        while let letter = peek() {
            position += 1
            switch letter {
            case "i": flags.foldsCase = value
            case "s": flags.dotAll = value
            case "m": flags.multiline = value
            case "U": flags.isUngreedy = value
            case "-": value = false
            case ":": return false
            case ")": return true
            default: throw Pattern.Failure(message: "look-around and unknown group flags are not supported")
            }
        }
        throw Pattern.Failure(message: "`(` is not closed")
    }
}
