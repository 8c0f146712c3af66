/// Byte classes and comparisons that every text protocol here shares. ASCII only: locale never matters.
///
/// `@inlinable` works across targets only in a type that is `@usableFromInline` itself (measured on 6.3: without it, and
/// in release builds too, each byte costs a call).
@usableFromInline package enum ASCII {
    @inlinable package static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
    @inlinable package static func upper(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte & 0xDF : byte }
    @inlinable package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    @inlinable package static func isAlpha(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Value of a hexadecimal digit, either case.
    @inlinable package static func hexValue(_ byte: UInt8) -> UInt8? {
        if byte &- 0x30 < 10 { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    @inlinable package static func equal(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        for index in a.indices where a[index] != b[index] { return false }
        return true
    }

    @inlinable package static func equalFolded(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        for index in a.indices where lower(a[index]) != lower(b[index]) { return false }
        return true
    }

    /// Whether the first comes before the second in byte order.
    @inlinable package static func precedes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        for index in 0..<min(a.count, b.count) where a[index] != b[index] { return a[index] < b[index] }
        return a.count < b.count
    }

    /// Decimal digits only, checked for overflow: no sign, no blank, at least one digit.
    @inlinable package static func decimal(_ bytes: Span<UInt8>) -> UInt64? {
        guard bytes.count > 0 else { return nil }
        var value: UInt64 = 0
        for index in bytes.indices {
            guard isDigit(bytes[index]) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[index] &- 0x30))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }

    /// Strips SP and HTAB from both ends.
    package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var slice = bytes
        while let first = slice.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return slice
    }
}

extension StaticString {
    /// Gives its bytes to the body, without a copy.
    @inlinable
    package func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        withUTF8Buffer { unsafe body($0.span) }
    }

    /// The UTF-8 bytes, copied. For start-up tables and rare paths; keep the result where it is used often.
    package var bytes: [UInt8] { Array("\(self)".utf8) }
}

extension Array where Element == UInt8 {
    /// Appends a copy of the span: one `memcpy`. Unsafe as `StaticString.withSpan` is, and nothing else here: byte by byte
    /// through `OutputSpan` it costs 10 instructions a byte.
    @inlinable
    package mutating func append(copying span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends the decimal digits of a number, without a `String` in between.
    package mutating func append(decimal number: Int64) {
        if number < 0 { append(0x2D) }
        append(decimal: number.magnitude)
    }

    package mutating func append(decimal number: UInt64) {
        // Digits come out last first; as nibbles of one word they turn round without touching the array again.
        let chunk: UInt64 = 10_000_000_000_000_000
        guard number >= chunk else { return append(nibbles: number, minimum: 1) }
        append(decimal: number / chunk)
        append(nibbles: number % chunk, minimum: 16)
    }

    /// `number` below 10^16, with zeros in front up to `minimum` digits.
    private mutating func append(nibbles number: UInt64, minimum: Int) {
        var (rest, nibbles, digits) = (number, 0 as UInt64, 0)
        while rest > 0 || digits < minimum {
            nibbles = nibbles << 4 | rest % 10
            rest /= 10
            digits &+= 1
        }
        append(addingCapacity: digits) { output in
            for _ in 0..<digits {
                output.append(0x30 | UInt8(truncatingIfNeeded: nibbles & 15))
                nibbles >>= 4
            }
        }
    }
}
