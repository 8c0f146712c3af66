import Bytes

/// Stable sorting of values by keys.
enum Sorting {
    /// The places of the elements in their new order.
    ///
    /// - Parameter keys: resolved; one for each element.
    /// - Throws: when two keys have no common order.
    static func order(of keys: [Value], at offset: Int) throws(EvaluationError) -> [Int] {
        guard let first = keys.first else { return [] }
        if let texts = texts(keys) {
            return order(texts.count) { a, b in isGreater(texts[a], texts[b]) }
        }
        for key in keys where Value.order(first, key) == nil {
            throw EvaluationError(.noSuchOverload, "\(first.typeName.name), \(key.typeName.name)", at: offset)
        }
        return order(keys.count) { a, b in Value.order(keys[a], keys[b]) == .greater }
    }

    /// Names are what is sorted for nearly every signature, so strings have a way of their own.
    private static func texts(_ keys: [Value]) -> [ArraySlice<UInt8>]? {
        var texts: [ArraySlice<UInt8>] = []
        texts.reserveCapacity(keys.count)
        for key in keys {
            guard case .string(let text) = key else { return nil }
            texts.append(text)
        }
        return texts
    }

    private static func isGreater(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
        Value.order(a.span, b.span) == .greater
    }

    /// Insertion for short lists: a form has ten fields, and the library's sort costs 5 us before it compares anything.
    private static func order(_ count: Int, isGreater: (Int, Int) -> Bool) -> [Int] {
        var order = Array(0..<count)
        guard count <= 24 else {
            order.sort { a, b in isGreater(b, a) || (!isGreater(a, b) && a < b) }
            return order
        }
        for index in 0..<count {
            var place = index
            while place > 0, isGreater(order[place - 1], index) {
                order[place] = order[place - 1]
                place -= 1
            }
            order[place] = index
        }
        return order
    }
}
