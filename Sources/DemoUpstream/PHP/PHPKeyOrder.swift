/// The order of PHP 8.2's `ksort` with default flags. Two names that both look like numbers compare as numbers; all others
/// byte by byte. (PHP 5 and 7 compare a number with a word differently: such names sign differently there.)
enum PHPKeyOrder {
    static func isBefore(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        switch (PHPNumber(a), PHPNumber(b)) {
        case (.integer(let left), .integer(let right)): left < right
        case (.some(let left), .some(let right)): left.double < right.double
        default: a.lexicographicallyPrecedes(b)
        }
    }

    /// Sorted copy; names that compare equal (`2` and `02`) keep their order.
    static func sorted(
        _ fields: [(name: [UInt8], value: PHPValue)]
    ) -> [(name: [UInt8], value: PHPValue)] {
        // Swift promises no stability: the place breaks ties.
        let indexed = fields.enumerated().sorted { a, b in
            if isBefore(a.element.name, b.element.name) { return true }
            if isBefore(b.element.name, a.element.name) { return false }
            return a.offset < b.offset
        }
        return indexed.map(\.element)
    }
}
