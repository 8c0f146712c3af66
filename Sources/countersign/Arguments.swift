/// The words after a command: positional ones, `--name value` options and `--name` flags.
struct Arguments {
    private var words: [String]

    init(_ words: [String]) { self.words = words }

    /// Takes the value of an option, also in the form `--name=value`.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        for index in words.indices {
            if words[index] == "--\(name)" {
                guard index + 1 < words.count else { throw UsageError("--\(name) needs a value") }
                let value = words[index + 1]
                words.removeSubrange(index...index + 1)
                return value
            }
            if words[index].hasPrefix("--\(name)=") {
                return String(words.remove(at: index).dropFirst(name.count + 3))
            }
        }
        return nil
    }

    mutating func options(_ name: String) throws(UsageError) -> [String] {
        var values: [String] = []
        while let value = try option(name) { values.append(value) }
        return values
    }

    mutating func flag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: "--\(name)") else { return false }
        words.remove(at: index)
        return true
    }

    mutating func number(_ name: String) throws(UsageError) -> Int64? {
        guard let text = try option(name) else { return nil }
        guard let number = Int64(text) else { throw UsageError("--\(name) takes a whole number, not \(text)") }
        return number
    }

    /// Unix seconds, with a fraction or without: `1577262236.757`.
    mutating func time(_ name: String) throws(UsageError) -> (seconds: Int64, nanoseconds: Int32)? {
        guard let text = try option(name) else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts.count > 1 ? parts[1].utf8 : Substring("0").utf8
        guard let seconds = Int64(parts[0]), (1...9).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            let fraction = Int32(String(parts.count > 1 ? parts[1] : "0"))
        else { throw UsageError("--\(name) takes Unix seconds, not \(text)") }
        let scale = (digits.count..<9).reduce(Int32(1)) { product, _ in product * 10 }
        return (seconds, fraction * scale)
    }

    /// The next word that is no option.
    mutating func positional(_ what: String) throws(UsageError) -> String {
        guard let first = words.first, !first.hasPrefix("--") else { throw UsageError("\(what) is missing") }
        words.removeFirst()
        return first
    }

    var isEmpty: Bool { words.isEmpty }

    /// Nothing may be left over.
    func end() throws(UsageError) {
        if let word = words.first {
            throw UsageError(word.hasPrefix("-") ? "there is no option \(word) here" : "\(word) is one word too many")
        }
    }
}
