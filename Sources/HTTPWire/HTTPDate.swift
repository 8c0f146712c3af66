import Bytes

/// Dates of HTTP (RFC 9110 5.6.7). Seconds since 1970, UTC, without leap seconds.
package enum HTTPDate {
    private static let days = "MonTueWedThuFriSatSun"
    private static let months = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// Appends IMF-fixdate, 29 bytes: `Sun, 06 Nov 1994 08:49:37 GMT`. Outside the years 0 to 9999 the nearest date that
    /// has four digits.
    package static func append(unix: Int64, to output: inout [UInt8]) {
        let seconds = min(max(unix, -62_167_219_200), 253_402_300_799)
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - day * 86_400
        let date = civil(day)
        appendName(days, Int((day + 3) % 7 + 7) % 7, to: &output)
        output.append(contentsOf: [0x2C, 0x20])
        appendPair(date.day, to: &output)
        output.append(0x20)
        appendName(months, Int(date.month - 1), to: &output)
        output.append(0x20)
        appendPair(date.year / 100, to: &output)
        appendPair(date.year % 100, to: &output)
        output.append(0x20)
        appendPair(rest / 3600, to: &output)
        output.append(0x3A)
        appendPair(rest / 60 % 60, to: &output)
        output.append(0x3A)
        appendPair(rest % 60, to: &output)
        output.append(contentsOf: [0x20, 0x47, 0x4D, 0x54])
    }

    /// Parses IMF-fixdate, RFC 850 and asctime forms, as a recipient must; `nil` for anything else, or a date that does
    /// not exist. Two-digit years below 70 are in this century. The name of the day is not compared with the date.
    package static func parse(_ bytes: Span<UInt8>) -> Int64? {
        var reader = DateReader(bytes)
        guard let name = reader.word() else { return nil }
        if name.count == 3, reader.accept(", ") { return fixdate(&reader) }
        if reader.accept(", ") { return rfc850(&reader) }
        return reader.accept(" ") ? asctime(&reader) : nil
    }

    private static func fixdate(_ reader: inout DateReader) -> Int64? {
        guard let day = reader.digits(2), reader.accept(" "), let month = reader.month(), reader.accept(" "),
            let year = reader.digits(4), reader.accept(" "), let time = reader.time(), reader.accept(" GMT"),
            reader.isAtEnd
        else { return nil }
        return unix(year, month, day, time)
    }

    private static func rfc850(_ reader: inout DateReader) -> Int64? {
        guard let day = reader.digits(2), reader.accept("-"), let month = reader.month(), reader.accept("-"),
            let year = reader.digits(2), reader.accept(" "), let time = reader.time(), reader.accept(" GMT"),
            reader.isAtEnd
        else { return nil }
        return unix(year + (year < 70 ? 2000 : 1900), month, day, time)
    }

    private static func asctime(_ reader: inout DateReader) -> Int64? {
        guard let month = reader.month(), reader.accept(" "),
            let day = reader.accept(" ") ? reader.digits(1) : reader.digits(2), reader.accept(" "),
            let time = reader.time(), reader.accept(" "), let year = reader.digits(4), reader.isAtEnd
        else { return nil }
        return unix(year, month, day, time)
    }

    private static func unix(_ year: Int64, _ month: Int64, _ day: Int64, _ time: Int64) -> Int64? {
        guard day >= 1, day <= 31 else { return nil }
        // Days from civil: years start in March, so that the leap day comes last.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let number = era * 146_097 + dayOfEra - 719_468
        guard civil(number).day == day else { return nil }
        return number * 86_400 + time
    }

    private static func civil(_ number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    private static func appendName(_ names: String, _ index: Int, to output: inout [UInt8]) {
        output.append(contentsOf: names.utf8.dropFirst(index * 3).prefix(3))
    }

    private static func appendPair(_ number: Int64, to output: inout [UInt8]) {
        output.append(0x30 &+ UInt8(truncatingIfNeeded: number / 10 % 10))
        output.append(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
    }
}
