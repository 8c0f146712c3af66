import Bytes

/// The lenient dates of cookies (RFC 6265 5.1.1): `Wed, 21-Oct-2026 07:28:00 GMT` and its relatives.
enum CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Unix seconds.
    static func parse(_ text: ArraySlice<UInt8>) -> Int64? {
        var (time, day, month, year): ([Int64]?, Int64?, Int64?, Int64?) = (nil, nil, nil, nil)
        for token in text.split(whereSeparator: { isDelimiter($0) }) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let number = number(token, 1...2) {
                day = number
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, let number = number(token, 2...4) {
                year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
            }
        }
        guard let time, let day, let month, let year, 1...31 ~= day, year >= 1601, time[0] < 24, time[1] < 60,
            time[2] < 60
        else { return nil }
        return days(year, month, day) * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte == 0x09 || 0x20...0x2F ~= byte || 0x3B...0x40 ~= byte || 0x5B...0x60 ~= byte || 0x7B...0x7E ~= byte
    }

    private static func clock(_ token: ArraySlice<UInt8>) -> [Int64]? {
        let parts = token.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let numbers = parts.compactMap { number($0, 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    private static func number(_ token: ArraySlice<UInt8>, _ digits: ClosedRange<Int>) -> Int64? {
        guard digits ~= token.count, token.allSatisfy(ASCII.isDigit) else { return nil }
        return ASCII.decimal(token.span).map { Int64(clamping: $0) }
    }

    private static func monthNumber(_ token: ArraySlice<UInt8>) -> Int64? {
        let word = String(decoding: token.prefix(3).map(ASCII.lower), as: UTF8.self)
        return months.firstIndex(of: word).map { Int64($0 + 1) }
    }

    /// Days since 1970 in the Gregorian calendar (year begins in March, so that the leap day is its last).
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
