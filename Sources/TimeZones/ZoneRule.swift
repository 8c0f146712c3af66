/// Offsets for all years by one rule: `EST5EDT,M3.2.0,M11.1.0`, `<+0330>-3:30` (POSIX, RFC 9636 3.3.1).
struct ZoneRule: Sendable {
    private enum Day: Sendable {
        /// Day 1 to 365, 29 February never counted.
        case julian(Int)
        /// Day 0 to 365.
        case ordinal(Int)
        /// Month, week (5: the last), weekday.
        case weekday(Int, Int, Int)
    }

    private struct Change: Sendable {
        var day: Day
        var seconds: Int64
    }

    private let standard: Int64
    /// Summer time: its offset, its beginning and its end.
    private let summer: (offset: Int64, begin: Change, end: Change)?

    init?(_ text: ArraySlice<UInt8>) {
        var reader = Reader(rest: text)
        guard reader.name(), let west = reader.time() else { return nil }
        standard = -west
        guard !reader.rest.isEmpty else {
            summer = nil
            return
        }
        guard reader.name() else { return nil }
        var offset = standard + 3600
        if reader.rest.first != 0x2C {
            guard let west = reader.time() else { return nil }
            offset = -west
        }
        guard let begin = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
        summer = (offset, begin, end)
    }

    func offset(at seconds: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = Self.year(of: seconds + standard)
        let begin = Self.start(ofYear: year) + Self.seconds(summer.begin, year) - standard
        let end = Self.start(ofYear: year) + Self.seconds(summer.end, year) - summer.offset
        // In the south it is the winter that lies inside a year.
        let isSummer = begin < end ? seconds >= begin && seconds < end : seconds < end || seconds >= begin
        return isSummer ? summer.offset : standard
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Days from 1970 to the first of January.
    private static func days(toYear year: Int64) -> Int64 {
        let before = year - 1
        func floored(_ divisor: Int64) -> Int64 {
            before >= 0 ? before / divisor : -((-before + divisor - 1) / divisor)
        }
        return 365 * (year - 1970) + floored(4) - floored(100) + floored(400) - 477
    }

    private static func start(ofYear year: Int64) -> Int64 { days(toYear: year) * 86_400 }

    private static func year(of seconds: Int64) -> Int64 {
        var year = 1970 + seconds / 31_556_952
        while start(ofYear: year) > seconds { year -= 1 }
        while start(ofYear: year + 1) <= seconds { year += 1 }
        return year
    }

    /// Seconds of local time since the year began.
    private static func seconds(_ change: Change, _ year: Int64) -> Int64 {
        let day: Int64
        switch change.day {
        case .julian(let number): day = Int64(number - 1) + (isLeap(year) && number >= 60 ? 1 : 0)
        case .ordinal(let number): day = Int64(number)
        case .weekday(let month, let week, let weekday):
            var lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            if isLeap(year) { lengths[1] = 29 }
            let first = lengths[..<(month - 1)].reduce(0, +)
            // 1970 began on a Thursday.
            let weekdayOfFirst = ((days(toYear: year) + first + 4) % 7 + 7) % 7
            var date = (Int64(weekday) - weekdayOfFirst + 7) % 7 + Int64(week - 1) * 7
            while date >= lengths[month - 1] { date -= 7 }
            day = first + date
        }
        return day * 86_400 + change.seconds
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func accept(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func name() -> Bool {
            if accept(0x3C) {
                guard let end = rest.firstIndex(of: 0x3E) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
            rest = rest[letters.endIndex...]
            return letters.count >= 3
        }

        mutating func number() -> Int? {
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard !digits.isEmpty, digits.count <= 4 else { return nil }
            rest = rest[digits.endIndex...]
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        /// `[+-]hh[:mm[:ss]]` in seconds; hours up to 167 (RFC 9636 3.3.1).
        mutating func time() -> Int64? {
            let isNegative = accept(0x2D)
            if !isNegative { _ = accept(0x2B) }
            guard let hours = number(), hours <= 167 else { return nil }
            var seconds = Int64(hours) * 3600
            for unit: Int64 in [60, 1] where accept(0x3A) {
                guard let part = number(), part < 60 else { return nil }
                seconds += Int64(part) * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard accept(0x2C) else { return nil }
            let day: Day
            if accept(0x4D) {
                guard let month = number(), (1...12).contains(month), accept(0x2E), let week = number(),
                    (1...5).contains(week), accept(0x2E), let weekday = number(), weekday < 7
                else { return nil }
                day = .weekday(month, week, weekday)
            } else if accept(0x4A) {
                guard let number = number(), (1...365).contains(number) else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(), number <= 365 else { return nil }
                day = .ordinal(number)
            }
            guard accept(0x2F) else { return Change(day: day, seconds: 7200) }
            return time().map { Change(day: day, seconds: $0) }
        }
    }
}
