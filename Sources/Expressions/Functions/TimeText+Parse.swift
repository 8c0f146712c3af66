import Bytes

extension TimeText {
    private struct Parts {
        var year = 1970
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        var nanoseconds: Int64 = 0
        /// Seconds east; `nil`: the text does not say.
        var offset: Int64?
        /// `%s` says it all.
        var seconds: Int64?
    }

    /// The reverse of `format`; nil when the text has another form or is no such date.
    /// - Parameter zone: where the clock stands that the text is read from, unless the text says it (`%z`).
    static func parse(
        _ text: ArraySlice<UInt8>, _ form: ArraySlice<UInt8>, zone: ArraySlice<UInt8>
    ) throws(EvaluationError) -> Timestamp? {
        var reader = Reader(text)
        var parts = Parts()
        var rest = form
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let field = rest.popFirst() {
                guard read(field, &reader, &parts) else { return nil }
            } else if !reader.accept(byte) {
                return nil
            }
        }
        guard reader.isAtEnd else { return nil }
        if let seconds = parts.seconds { return Timestamp(seconds: seconds, nanoseconds: parts.nanoseconds) }
        guard (1...12).contains(parts.month), parts.day >= 1,
            parts.day <= CivilTime.daysInMonth(parts.month, year: parts.year), parts.hour < 24, parts.minute < 60,
            parts.second < 60
        else { return nil }
        let days = Int64(CivilTime.days(year: parts.year, month: parts.month, day: parts.day))
        let clock = parts.hour * 3600 + parts.minute * 60 + parts.second
        let local = days * 86_400 + Int64(clock)
        let offset = if let known = parts.offset { known } else { try Self.offset(zone, at: local, isLocal: true) }
        return Timestamp(seconds: local - offset, nanoseconds: parts.nanoseconds)
    }

    private static func read(_ field: UInt8, _ reader: inout Reader, _ parts: inout Parts) -> Bool {
        func take(_ count: Int, _ part: inout Int) -> Bool {
            guard let number = reader.digits(count) else { return false }
            part = number
            return true
        }
        switch field {
        case UInt8(ascii: "Y"): return take(4, &parts.year)
        case UInt8(ascii: "m"): return take(2, &parts.month)
        case UInt8(ascii: "d"): return take(2, &parts.day)
        case UInt8(ascii: "e"):
            guard let day = reader.number(), day <= 31 else { return false }
            parts.day = Int(day)
            return true
        case UInt8(ascii: "H"): return take(2, &parts.hour)
        case UInt8(ascii: "M"): return take(2, &parts.minute)
        case UInt8(ascii: "S"): return take(2, &parts.second)
        case UInt8(ascii: "b"):
            guard let month = reader.word(of: months, length: 3) else { return false }
            parts.month = month + 1
            return true
        case UInt8(ascii: "a"): return reader.word(of: weekdays, length: 3) != nil
        case UInt8(ascii: "%"): return reader.accept(field)
        default: return readFraction(field, &reader, &parts)
        }
    }

    private static func readFraction(_ field: UInt8, _ reader: inout Reader, _ parts: inout Parts) -> Bool {
        switch field {
        case UInt8(ascii: "L"), UInt8(ascii: "f"), UInt8(ascii: "N"):
            let (count, unit): (Int, Int64) =
                switch field {
                case UInt8(ascii: "L"): (3, 1_000_000)
                case UInt8(ascii: "f"): (6, 1000)
                default: (9, 1)
                }
            guard let number = reader.digits(count) else { return false }
            parts.nanoseconds = Int64(number) * unit
        case UInt8(ascii: "s"):
            guard let number = reader.number() else { return false }
            parts.seconds = number
        case UInt8(ascii: "z"):
            guard let zone = reader.compactZone() else { return false }
            parts.offset = zone
        default: return false
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
