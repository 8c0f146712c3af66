import Bytes

extension TimeText {
    /// Takes a text apart from the left.
    struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ text: ArraySlice<UInt8>) { rest = text }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func accept(_ text: StaticString) -> Bool {
            let bytes = text.bytes
            guard rest.starts(with: bytes) else { return false }
            rest = rest.dropFirst(bytes.count)
            return true
        }

        mutating func accept(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// Index of the word that stands here, or whose first letters do; in either case (Oracle writes `NOV`).
        mutating func word(of words: [String], length: Int?) -> Int? {
            let index = words.firstIndex { word in
                let wanted = Array(word.utf8.prefix(length ?? word.utf8.count))
                let head = Array(rest.prefix(wanted.count))
                return ASCII.equalFolded(head.span, wanted.span)
            }
            guard let index else { return nil }
            rest = rest.dropFirst(length ?? words[index].utf8.count)
            return index
        }

        /// As many decimal digits as there are in this range of counts.
        mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
            let count = rest.prefix(counts.upperBound).prefix { ASCII.isDigit($0) }.count
            return counts.contains(count) ? digits(count) : nil
        }

        /// Exactly so many decimal digits.
        mutating func digits(_ count: Int) -> Int? {
            let head = rest.prefix(count)
            guard head.count == count, let value = ASCII.decimal(head.span) else { return nil }
            rest = rest.dropFirst(count)
            return Int(value)
        }

        /// Decimal digits as they come; `nil` when there are none or too many for 63 bits.
        mutating func number() -> Int64? {
            let head = rest.prefix { ASCII.isDigit($0) }
            guard let value = ASCII.decimal(head.span), let number = Int64(exactly: value) else { return nil }
            rest = rest.dropFirst(head.count)
            return number
        }

        /// Digits behind the point, as billionths; more than nine are cut off.
        mutating func fraction() -> Int64? {
            let head = rest.prefix { ASCII.isDigit($0) }
            guard !head.isEmpty else { return nil }
            rest = rest.dropFirst(head.count)
            var value: Int64 = 0
            for index in 0..<9 {
                let digit = index < head.count ? Int64(head[head.startIndex + index] - 0x30) : 0
                value = value * 10 + digit
            }
            return value
        }

        /// Nanoseconds of a unit.
        mutating func unit() -> Int64? {
            if accept("ms") { return 1_000_000 }
            if accept("us") || accept("µs") { return 1000 }
            if accept("ns") { return 1 }
            if accept("h") { return 3_600_000_000_000 }
            if accept("m") { return 60_000_000_000 }
            return accept("s") ? 1_000_000_000 : nil
        }

        /// `Z` or `+hh:mm`, in seconds east.
        mutating func zone() -> Int64? {
            if accept("Z") || accept("z") { return 0 }
            let isNegative = accept("-")
            guard isNegative || accept("+"), let hours = digits(2), accept(":"), let minutes = digits(2), hours < 24,
                minutes < 60
            else { return nil }
            return Int64(hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
        }
    }
}
