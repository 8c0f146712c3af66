import Bytes
import JSONBytes

extension Value {
    enum Order { case less, equal, greater, unordered }

    /// CEL equality: numbers compare across their types, values of different types are unequal, NaN equals nothing.
    package static func equal(_ left: Value, _ right: Value) -> Bool {
        switch (left.resolved, right.resolved) {
        case (.string(let a), .string(let b)), (.bytes(let a), .bytes(let b)):
            ASCII.equal(a.span, b.span)
        case (.int(let a), .int(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.null, .null): true
        case (.timestamp(let a), .timestamp(let b)): a == b
        case (.duration(let a), .duration(let b)): a == b
        case (.type(let a), .type(let b)): a == b
        case (.optional(let a), .optional(let b)): equalOptionals(a, b)
        case (.object(let a), .object(let b)): a === b
        case (let a, let b): equalParts(a, b)
        }
    }

    private static func equalOptionals(_ a: Value?, _ b: Value?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return equal(a, b)
    }

    private static func equalParts(_ a: Value, _ b: Value) -> Bool {
        if let order = numericOrder(a, b) { return order == .equal }
        if a.isList, b.isList { return equalLists(a, b) }
        guard a.isMap, b.isMap, let first = a.asMap, let second = b.asMap, first.count == second.count else {
            return false
        }
        for entry in first.entries {
            guard let other = second[entry.key], equal(entry.value, other) else { return false }
        }
        return true
    }

    private static func equalLists(_ a: Value, _ b: Value) -> Bool {
        guard a.size == b.size, var first = ElementCursor(a), var second = ElementCursor(b) else { return false }
        while let one = first.next(), let other = second.next() {
            if !equal(one, other) { return false }
        }
        return true
    }

    /// Order of two values; `nil` when their types have no common order.
    static func order(_ left: Value, _ right: Value) -> Order? {
        switch (left.resolved, right.resolved) {
        case (.string(let a), .string(let b)), (.bytes(let a), .bytes(let b)): order(a.span, b.span)
        case (.bool(let a), .bool(let b)): a == b ? .equal : (a ? .greater : .less)
        case (.timestamp(let a), .timestamp(let b)): a < b ? .less : (a == b ? .equal : .greater)
        case (.duration(let a), .duration(let b)): a < b ? .less : (a == b ? .equal : .greater)
        case (let a, let b): numericOrder(a, b)
        }
    }

    /// Byte order, which is the order of code points in UTF-8.
    static func order(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Order {
        let shared = min(a.count, b.count)
        var index = 0
        while index < shared {
            if a[index] != b[index] { return a[index] < b[index] ? .less : .greater }
            index += 1
        }
        return a.count == b.count ? .equal : (a.count < b.count ? .less : .greater)
    }

    /// Exact comparison of numbers of any type; `nil` when one is no number. Both must be resolved.
    private static func numericOrder(_ a: Value, _ b: Value) -> Order? {
        switch (a, b) {
        case (.int(let a), .int(let b)): ordered(a, b)
        case (.uint(let a), .uint(let b)): ordered(a, b)
        case (.int(let a), .uint(let b)): a < 0 ? .less : ordered(a.magnitude, b)
        case (.uint(let a), .int(let b)): b < 0 ? .greater : ordered(a, b.magnitude)
        case (.double(let a), .double(let b)): a.isNaN || b.isNaN ? .unordered : ordered(a, b)
        // Swift compares integers and floating-point numbers by value, without rounding the integer.
        case (.int(let a), .double(let b)): mixed(a, b)
        case (.uint(let a), .double(let b)): mixed(a, b)
        case (.double(let a), .int(let b)): reversed(mixed(b, a))
        case (.double(let a), .uint(let b)): reversed(mixed(b, a))
        default: nil
        }
    }

    private static func ordered<Number: Comparable>(_ a: Number, _ b: Number) -> Order {
        a < b ? .less : (a == b ? .equal : .greater)
    }

    private static func mixed<Number: FixedWidthInteger>(_ a: Number, _ b: Double) -> Order {
        if b.isNaN { return .unordered }
        // Both bounds are powers of two (or zero), so the comparison with them is exact.
        if b < Double(Number.min) { return .greater }
        if b >= Double(sign: .plus, exponent: Number.isSigned ? 63 : 64, significand: 1) { return .less }
        let whole = Number(b.rounded(.down))
        if a != whole { return ordered(a, whole) }
        return b > b.rounded(.down) ? .less : .equal
    }

    private static func reversed(_ order: Order) -> Order {
        switch order {
        case .less: .greater
        case .greater: .less
        case .equal: .equal
        case .unordered: .unordered
        }
    }
}
