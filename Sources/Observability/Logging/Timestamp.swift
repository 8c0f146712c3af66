import Bytes

/// RFC 3339 in UTC with milliseconds: `2026-11-30T05:15:54.123Z`. Remembers the last second: thousands of lines share it.
struct Timestamp {
    private var second: UInt64 = .max
    private var prefix: [UInt8] = []

    /// Appends the time, in quotes. The year stays below 10000 for any `UInt64`: nanoseconds end in 2554.
    mutating func appendQuoted(unixNanoseconds: UInt64, to output: inout [UInt8]) {
        let seconds = unixNanoseconds / 1_000_000_000
        if seconds != second {
            second = seconds
            prefix = Self.prefix(seconds)
        }
        output.append(contentsOf: prefix)
        let milliseconds = unixNanoseconds % 1_000_000_000 / 1_000_000
        output.append(0x30 | UInt8(truncatingIfNeeded: milliseconds / 100))
        output.append(0x30 | UInt8(truncatingIfNeeded: milliseconds / 10 % 10))
        output.append(0x30 | UInt8(truncatingIfNeeded: milliseconds % 10))
        output.append(0x5A)
        output.append(0x22)
    }

    private static func prefix(_ seconds: UInt64) -> [UInt8] {
        let (year, month, day) = civil(days: seconds / 86_400)
        let rest = seconds % 86_400
        var text: [UInt8] = [0x22]
        append(year, digits: 4, to: &text)
        text.append(0x2D)
        append(month, digits: 2, to: &text)
        text.append(0x2D)
        append(day, digits: 2, to: &text)
        text.append(0x54)
        append(rest / 3600, digits: 2, to: &text)
        text.append(0x3A)
        append(rest / 60 % 60, digits: 2, to: &text)
        text.append(0x3A)
        append(rest % 60, digits: 2, to: &text)
        text.append(0x2E)
        return text
    }

    /// Gregorian date of a day since 1970-01-01, counted in 400-year eras that begin on 1 March, so that the leap day is
    /// a year's last.
    private static func civil(days: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
    }

    private static func append(_ number: UInt64, digits: Int, to output: inout [UInt8]) {
        var scale: UInt64 = 1
        for _ in 1..<digits { scale *= 10 }
        while scale > 0 {
            output.append(0x30 + UInt8(truncatingIfNeeded: number / scale % 10))
            scale /= 10
        }
    }
}
