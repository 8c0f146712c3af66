import Bytes

extension TimeText {
    private struct Parts {
        var year = 1970
        var month = 1
        var day = 1
        /// Instead of month and day.
        var dayOfYear: Int?
        var hour = 0
        /// Of a clock with twelve hours.
        var half: Int?
        var isAfternoon = false
        var minute = 0
        var second = 0
        var nanoseconds: Int64 = 0
        /// Seconds east; `nil`: the text does not say.
        var offset: Int64?
        /// `%s` and `%Q` say it all.
        var seconds: Int64?
    }

    /// The fields that can be read.
    static let readFields = "%Y %y %m %d %e %j %H %I %p %M %S %L %f %N %b %B %a %A %s %Q %z %%"

    /// The reverse of `format`.
    /// - Parameter zone: where the clock stands that the text is read from, unless the text says it (`%z`).
    /// Errors: the text has another form, or is no such date; the form has a field that cannot be read.
    static func parse(
        _ text: ArraySlice<UInt8>, _ form: ArraySlice<UInt8>, zone: ArraySlice<UInt8>
    ) throws(EvaluationError) -> Timestamp {
        var reader = Reader(text)
        var parts = Parts()
        var rest = form
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let field = rest.popFirst() else { throw cutShort }
                guard try read(field, &reader, &parts) else { throw difference("at " + named(field)) }
            } else if !reader.accept(byte) {
                throw difference("between the fields")
            }
        }
        guard reader.isAtEnd else { throw difference("behind the last field") }
        guard let time = try moment(parts, zone) else { throw .argument("time: there is no such date or hour") }
        return time
    }

    static let cutShort = EvaluationError.argument("date field is cut short: a `%` is written `%%`")

    /// A field as it is written. It stands in the config; a form that somebody else wrote shows a letter of it at most.
    static func named(_ field: UInt8) -> String {
        ASCII.isAlpha(field) || field == UInt8(ascii: "%") ? "%" + String(decoding: [field], as: UTF8.self) : "%"
    }

    private static func difference(_ place: String) -> EvaluationError {
        .argument("time: the text has another form than the one given, " + place)
    }

    private static func moment(_ parts: Parts, _ zone: ArraySlice<UInt8>) throws(EvaluationError) -> Timestamp? {
        if let seconds = parts.seconds { return Timestamp(seconds: seconds, nanoseconds: parts.nanoseconds) }
        let hour = parts.half.map { $0 % 12 + (parts.isAfternoon ? 12 : 0) } ?? parts.hour
        guard (1...12).contains(parts.month), parts.day >= 1,
            parts.day <= CivilTime.daysInMonth(parts.month, year: parts.year), hour < 24, parts.minute < 60,
            parts.second < 60, parts.half.map({ 1...12 ~= $0 }) ?? true,
            parts.dayOfYear.map({ 1...daysInYear(parts.year) ~= $0 }) ?? true
        else { return nil }
        let days =
            if let day = parts.dayOfYear {
                Int64(CivilTime.days(year: parts.year, month: 1, day: 1) + day - 1)
            } else {
                Int64(CivilTime.days(year: parts.year, month: parts.month, day: parts.day))
            }
        let local = days * 86_400 + Int64(hour * 3600 + parts.minute * 60 + parts.second)
        let offset = if let known = parts.offset { known } else { try Self.offset(zone, at: local, isLocal: true) }
        return Timestamp(seconds: local - offset, nanoseconds: parts.nanoseconds)
    }

    /// False when the text has nothing of the kind. Numbers of two digits may come with one, as in C's `strptime`.
    private static func read(
        _ field: UInt8, _ reader: inout Reader, _ parts: inout Parts
    ) throws(EvaluationError) -> Bool {
        func take(_ counts: ClosedRange<Int>, _ part: inout Int) -> Bool {
            guard let number = reader.digits(counts) else { return false }
            part = number
            return true
        }
        switch field {
        case UInt8(ascii: "Y"): return take(4...4, &parts.year)
        case UInt8(ascii: "y"):
            guard take(2...2, &parts.year) else { return false }
            // POSIX `strptime`.
            parts.year += parts.year < 69 ? 2000 : 1900
            return true
        case UInt8(ascii: "m"): return take(1...2, &parts.month)
        case UInt8(ascii: "d"), UInt8(ascii: "e"):
            // C pads `%e` with a blank.
            _ = field == UInt8(ascii: "e") && reader.accept(0x20)
            return take(1...2, &parts.day)
        case UInt8(ascii: "H"): return take(1...2, &parts.hour)
        case UInt8(ascii: "I"):
            var hour = 0
            guard take(1...2, &hour) else { return false }
            parts.half = hour
            return true
        case UInt8(ascii: "M"): return take(1...2, &parts.minute)
        case UInt8(ascii: "S"): return take(1...2, &parts.second)
        case UInt8(ascii: "%"): return reader.accept(field)
        default: return try readName(field, &reader, &parts)
        }
    }

    private static func readName(
        _ field: UInt8, _ reader: inout Reader, _ parts: inout Parts
    ) throws(EvaluationError) -> Bool {
        switch field {
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
            guard let month = reader.word(of: months, length: field == UInt8(ascii: "b") ? 3 : nil) else {
                return false
            }
            parts.month = month + 1
            return true
        case UInt8(ascii: "a"): return reader.word(of: weekdays, length: 3) != nil
        case UInt8(ascii: "A"): return reader.word(of: weekdays, length: nil) != nil
        case UInt8(ascii: "p"):
            guard let half = reader.word(of: ["AM", "PM"], length: nil) else { return false }
            parts.isAfternoon = half == 1
            return true
        default: return try readNumber(field, &reader, &parts)
        }
    }

    private static func readNumber(
        _ field: UInt8, _ reader: inout Reader, _ parts: inout Parts
    ) throws(EvaluationError) -> Bool {
        switch field {
        case UInt8(ascii: "L"), UInt8(ascii: "f"), UInt8(ascii: "N"):
            // However many digits: .NET writes seven, and some drop the zeros at the end.
            guard let fraction = reader.fraction() else { return false }
            parts.nanoseconds = fraction
        case UInt8(ascii: "s"):
            guard let number = reader.number() else { return false }
            parts.seconds = number
        case UInt8(ascii: "Q"):
            let isNegative = reader.accept(UInt8(ascii: "-"))
            guard let number = reader.number() else { return false }
            let milliseconds = isNegative ? -number : number
            let rest = (milliseconds % 1000 + 1000) % 1000
            parts.seconds = (milliseconds - rest) / 1000
            parts.nanoseconds = rest * 1_000_000
        case UInt8(ascii: "j"):
            guard let number = reader.digits(1...3) else { return false }
            parts.dayOfYear = number
        case UInt8(ascii: "z"):
            guard let zone = reader.compactZone() else { return false }
            parts.offset = zone
        default: throw .argument("`\(named(field))` cannot be read; known: \(readFields)")
        }
        return true
    }
}

extension TimeText.Reader {
    /// `+0800`, `+08:00` or `Z`, in seconds east.
    fileprivate mutating func compactZone() -> Int64? {
        if accept(UInt8(ascii: "Z")) { return 0 }
        let isNegative = accept(UInt8(ascii: "-"))
        guard isNegative || accept(UInt8(ascii: "+")), let hours = digits(2) else { return nil }
        _ = accept(UInt8(ascii: ":"))
        guard let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
        return Int64(hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }
}
