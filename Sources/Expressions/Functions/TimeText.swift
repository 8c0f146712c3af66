import Bytes
import TimeZones

/// Reading and writing of times.
enum TimeText {
    /// RFC 3339: `2026-01-02T03:04:05.678+08:00`; `nil` when it is malformed or no such date.
    static func timestamp(_ text: ArraySlice<UInt8>) -> Timestamp? {
        var reader = Reader(text)
        guard let year = reader.digits(4), reader.accept("-"), let month = reader.digits(2), reader.accept("-"),
            let day = reader.digits(2), reader.accept("T") || reader.accept("t"), let hour = reader.digits(2),
            reader.accept(":"), let minute = reader.digits(2), reader.accept(":"), let second = reader.digits(2)
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= CivilTime.daysInMonth(month, year: year), hour < 24,
            minute < 60, second < 60
        else { return nil }
        var nanoseconds: Int64 = 0
        if reader.accept(".") {
            guard let fraction = reader.fraction() else { return nil }
            nanoseconds = fraction
        }
        guard let offset = reader.zone(), reader.isAtEnd else { return nil }
        let seconds = Int64(CivilTime.days(year: year, month: month, day: day)) * 86_400
        return Timestamp(
            seconds: seconds + Int64(hour * 3600 + minute * 60 + second) - offset, nanoseconds: nanoseconds)
    }

    /// `1h30m`, `-1.5s`, `100ms`, `0`; `nil` when it is malformed or longer than 292 years.
    static func duration(_ text: ArraySlice<UInt8>) -> Int64? {
        var reader = Reader(text)
        let isNegative = reader.accept("-")
        if !isNegative { _ = reader.accept("+") }
        if reader.accept("0"), reader.isAtEnd { return 0 }
        reader = Reader(text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") })
        guard !reader.isAtEnd else { return nil }
        var total: Int64 = 0
        while !reader.isAtEnd {
            let whole = reader.number()
            var fraction: Int64?
            if reader.accept(".") { fraction = reader.fraction() }
            guard whole != nil || fraction != nil, let unit = reader.unit() else { return nil }
            let (scaled, overflow) = (whole ?? 0).multipliedReportingOverflow(by: unit)
            // A billionth of the unit times the fraction; the unit is at most an hour, so this fits.
            let part = (fraction ?? 0) / 1000 * unit / 1_000_000
            let (sum, carry) = total.addingReportingOverflow(scaled)
            let (next, second) = sum.addingReportingOverflow(part)
            guard !overflow, !carry, !second else { return nil }
            total = next
        }
        return isNegative ? -total : total
    }

    /// Seconds east of UTC: `+08:00`, `-05:30`, `08:00`, `UTC`, `GMT`, `Z`, or the name of a zone of the system's database
    /// (`Asia/Shanghai`).
    /// - Parameters:
    ///   - time: Unix seconds; an offset depends on it where there is summer time.
    ///   - isLocal: `time` is what the clocks show there.
    static func offset(
        _ text: ArraySlice<UInt8>, at time: Int64, isLocal: Bool = false
    ) throws(EvaluationError) -> Int64 {
        let name = String(decoding: text, as: UTF8.self)
        if ["UTC", "GMT", "Z", ""].contains(name) { return 0 }
        guard ASCII.isAlpha(text.first ?? 0) else { return try fixedOffset(text) }
        guard let zone = ZoneDatabase.shared.zone(name) else {
            throw .argument(
                ZoneDatabase.shared.isInstalled
                    ? "time zone: neither an offset such as +08:00 nor a name such as Asia/Shanghai"
                    : "time zone: names need the system's time zone database (tzdata); use an offset such as +08:00")
        }
        return isLocal ? zone.offset(atLocal: time) : zone.offset(at: time)
    }

    private static func fixedOffset(_ text: ArraySlice<UInt8>) throws(EvaluationError) -> Int64 {
        var reader = Reader(text)
        let isNegative = reader.accept("-")
        if !isNegative { _ = reader.accept("+") }
        guard let hours = reader.digits(2), reader.accept(":"), let minutes = reader.digits(2), reader.isAtEnd,
            hours < 24, minutes < 60
        else { throw .argument("time zone: use an offset such as +08:00 or a name such as Asia/Shanghai") }
        return Int64(hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }

    static func format(
        _ time: Timestamp, _ pattern: ArraySlice<UInt8>, offset: Int64
    ) throws(EvaluationError) -> [UInt8] {
        let date = CivilTime(seconds: time.seconds + offset)
        var output: [UInt8] = []
        var rest = pattern
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let field = rest.popFirst() else { throw cutShort }
            if field == UInt8(ascii: "Q") {
                output.append(decimal: time.seconds * 1000 + Int64(time.nanoseconds / 1_000_000))
                continue
            }
            if !appendNumber(field, date, time, to: &output), !appendName(field, date, offset, to: &output) {
                throw .argument("unknown date field `\(named(field))`; known: \(readFields) %G %V %u")
            }
        }
        return output
    }

    private static func appendNumber(
        _ field: UInt8, _ date: CivilTime, _ time: Timestamp, to output: inout [UInt8]
    ) -> Bool {
        let (number, width): (Int, Int)
        switch field {
        case UInt8(ascii: "Y"): (number, width) = (date.year, 4)
        case UInt8(ascii: "y"): (number, width) = (date.year % 100, 2)
        case UInt8(ascii: "m"): (number, width) = (date.month, 2)
        case UInt8(ascii: "d"): (number, width) = (date.day, 2)
        case UInt8(ascii: "e"): (number, width) = (date.day, 1)
        case UInt8(ascii: "j"): (number, width) = (date.dayOfYear + 1, 3)
        case UInt8(ascii: "G"): (number, width) = (isoWeek(date).year, 4)
        case UInt8(ascii: "V"): (number, width) = (isoWeek(date).week, 2)
        case UInt8(ascii: "u"): (number, width) = ((date.weekday + 6) % 7 + 1, 1)
        case UInt8(ascii: "H"): (number, width) = (date.hour, 2)
        case UInt8(ascii: "I"): (number, width) = ((date.hour + 11) % 12 + 1, 2)
        case UInt8(ascii: "M"): (number, width) = (date.minute, 2)
        case UInt8(ascii: "S"): (number, width) = (date.second, 2)
        case UInt8(ascii: "L"): (number, width) = (Int(time.nanoseconds) / 1_000_000, 3)
        case UInt8(ascii: "f"): (number, width) = (Int(time.nanoseconds) / 1000, 6)
        case UInt8(ascii: "N"): (number, width) = (Int(time.nanoseconds), 9)
        default: return false
        }
        Timestamp.append(number, width: width, to: &output)
        return true
    }

    /// ISO 8601: a week belongs to the year that its Thursday is in.
    private static func isoWeek(_ date: CivilTime) -> (year: Int, week: Int) {
        let thursday = date.dayOfYear + 3 - (date.weekday + 6) % 7
        if thursday < 0 { return (date.year - 1, (thursday + daysInYear(date.year - 1)) / 7 + 1) }
        let days = daysInYear(date.year)
        return thursday < days ? (date.year, thursday / 7 + 1) : (date.year + 1, (thursday - days) / 7 + 1)
    }

    static func daysInYear(_ year: Int) -> Int { 337 + CivilTime.daysInMonth(2, year: year) }

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    private static func appendName(
        _ field: UInt8, _ date: CivilTime, _ offset: Int64, to output: inout [UInt8]
    ) -> Bool {
        switch field {
        case UInt8(ascii: "a"): output.append(contentsOf: weekdays[date.weekday].utf8.prefix(3))
        case UInt8(ascii: "A"): output.append(contentsOf: weekdays[date.weekday].utf8)
        case UInt8(ascii: "b"): output.append(contentsOf: months[date.month - 1].utf8.prefix(3))
        case UInt8(ascii: "B"): output.append(contentsOf: months[date.month - 1].utf8)
        case UInt8(ascii: "p"): output.append(contentsOf: date.hour < 12 ? "AM".utf8 : "PM".utf8)
        case UInt8(ascii: "s"):
            let days = Int64(CivilTime.days(year: date.year, month: date.month, day: date.day))
            output.append(
                decimal: days * 86_400 + Int64(date.hour * 3600 + date.minute * 60 + date.second) - offset)
        case UInt8(ascii: "z"):
            output.append(UInt8(ascii: offset < 0 ? "-" : "+"))
            Timestamp.append(Int(offset.magnitude / 3600), width: 2, to: &output)
            Timestamp.append(Int(offset.magnitude / 60 % 60), width: 2, to: &output)
        case UInt8(ascii: "%"): output.append(field)
        default: return false
        }
        return true
    }
}
