import Bytes

extension FunctionTable {
    static let times: [Function] =
        [
            Function(
                "timestamp(string|timestamp|int) -> timestamp",
                summary: "Point in time from RFC 3339 text or from Unix seconds.",
                example: "int(timestamp('2009-02-13T23:31:30Z')) == 1234567890",
                body: .unary { value throws(EvaluationError) in try timestamp(value) }),
            Function(
                "duration(string|duration) -> duration",
                summary: "Length of time from text with the units h, m, s, ms, us, ns.",
                example: "duration('1h30m') == duration('5400s')",
                body: .unary { value throws(EvaluationError) in try duration(value) }),
            Function(
                "time.unixMilli(timestamp) -> int", summary: "Milliseconds since 1970.",
                example: "time.unixMilli(timestamp('1970-01-01T00:00:01.5Z')) == 1500",
                body: .unary { value throws(EvaluationError) in
                    let time = try value.requireTimestamp()
                    return .int(time.seconds * 1000 + Int64(time.nanoseconds / 1_000_000))
                }),
            Function(
                "time.unixMicro(timestamp) -> int", summary: "Microseconds since 1970.",
                example: "time.unixMicro(timestamp('1970-01-01T00:00:01.5Z')) == 1500000",
                body: .unary { value throws(EvaluationError) in
                    let time = try value.requireTimestamp()
                    return .int(time.seconds * 1_000_000 + Int64(time.nanoseconds / 1000))
                }),
            Function(
                "time.parse(string, string) -> timestamp", "time.parse(string, string, string) -> timestamp",
                summary:
                    "Point in time from text in the given form, with the fields of `time.format` but `%G %V %u`: one digit does "
                    + "where there may be two, a fraction may have any number of digits, names come in either case, "
                    + "`%y` below 69 is in this century. In UTC, at an offset (`+08:00`) or in a zone (`Asia/Shanghai`).",
                example: "int(time.parse('Sun, 06 Nov 1994 08:49:37 GMT', '%a, %d %b %Y %H:%M:%S GMT')) == 784111777",
                body: .variadic { values throws(EvaluationError) in
                    let zone = values.count > 2 ? try values[2].requireString() : []
                    let (text, form) = (try values[0].requireString(), try values[1].requireString())
                    return .timestamp(try TimeText.parse(text, form, zone: zone))
                }),
            Function(
                "time.format(timestamp, string) -> string", "time.format(timestamp, string, string) -> string",
                summary:
                    "Date as text, in UTC, at an offset (`+08:00`) or in a zone (`Asia/Shanghai`). Fields: `%Y %m %d %H %M "
                    + "%S %y %e %j %a %A %b "
                    + "%B %p %I %L` (milliseconds) `%f` (microseconds) `%N` (nanoseconds) `%s %z %%`, `%G %V %u` "
                    + "(year, week and day of ISO 8601), and `%Q`: "
                    + "milliseconds since 1970 (`/Date(%Q%z)/` is .NET's JSON).",
                example: "time.format(timestamp(0), '%Y%m%dT%H%M%SZ', '+08:00') == '19700101T080000Z'",
                body: .variadic { values throws(EvaluationError) in
                    let time = try values[0].requireTimestamp()
                    let offset =
                        values.count > 2 ? try TimeText.offset(try values[2].requireString(), at: time.seconds) : 0
                    return .text(
                        try TimeText.format(
                            time, try values[1].requireString(), offset: offset))
                }),
            Function(
                "time.http(timestamp) -> string", summary: "Date as HTTP writes it (RFC 9110 5.6.7).",
                example: "time.http(timestamp(784111777)) == 'Sun, 06 Nov 1994 08:49:37 GMT'",
                body: .unary { value throws(EvaluationError) in
                    .text(
                        try TimeText.format(
                            try value.requireTimestamp(), ArraySlice("%a, %d %b %Y %H:%M:%S GMT".utf8), offset: 0))
                }),
        ] + accessors

    private static let accessors: [Function] = [
        accessor("getFullYear", "Year.", "1970") { $0.year },
        accessor("getMonth", "Month, from 0.", "0") { $0.month - 1 },
        accessor("getDate", "Day of the month, from 1.", "1") { $0.day },
        accessor("getDayOfMonth", "Day of the month, from 0.", "0") { $0.day - 1 },
        accessor("getDayOfWeek", "Day of the week, Sunday is 0.", "4") { $0.weekday },
        accessor("getDayOfYear", "Day of the year, from 0.", "0") { $0.dayOfYear },
        accessor("getHours", "Hour of the day; of a duration all hours.", "0", unit: 3_600_000_000_000) { $0.hour },
        accessor("getMinutes", "Minute of the hour; of a duration all minutes.", "0", unit: 60_000_000_000) {
            $0.minute
        },
        accessor("getSeconds", "Second of the minute; of a duration all seconds.", "0", unit: 1_000_000_000) {
            $0.second
        },
        Function(
            "(timestamp|duration).getMilliseconds() -> int", "(timestamp).getMilliseconds(string) -> int",
            summary: "Milliseconds of the second; of a duration too.",
            example: "timestamp('1970-01-01T00:00:01.5Z').getMilliseconds() == 500",
            body: .variadic { values throws(EvaluationError) in
                if case .duration(let nanoseconds) = values[0] {
                    return .int(nanoseconds % 1_000_000_000 / 1_000_000)
                }
                return .int(Int64(try values[0].requireTimestamp().nanoseconds / 1_000_000))
            }),
    ]

    private static func accessor(
        _ name: String, _ summary: String, _ result: String, unit: Int64? = nil,
        _ field: @escaping @Sendable (CivilTime) -> Int
    ) -> Function {
        let body = Function.Body.variadic { values throws(EvaluationError) in
            if let unit, case .duration(let nanoseconds) = values[0], values.count == 1 {
                return .int(nanoseconds / unit)
            }
            let time = try values[0].requireTimestamp().seconds
            let offset = values.count > 1 ? try TimeText.offset(try values[1].requireString(), at: time) : 0
            return .int(Int64(field(CivilTime(seconds: time + offset))))
        }
        let example = "timestamp(0).\(name)() == \(result)"
        let zoned = "(timestamp).\(name)(string) -> int"
        return unit == nil
            ? Function("(timestamp).\(name)() -> int", zoned, summary: summary, example: example, body: body)
            : Function("(timestamp|duration).\(name)() -> int", zoned, summary: summary, example: example, body: body)
    }

    private static func timestamp(_ value: Value) throws(EvaluationError) -> Value {
        switch value.resolved {
        case .timestamp: return value
        case .int(let seconds):
            guard let time = Timestamp(seconds: seconds) else { throw EvaluationError(.overflow) }
            return .timestamp(time)
        case .string(let text):
            guard let time = TimeText.timestamp(text) else {
                throw EvaluationError(
                    .badConversion,
                    "string to timestamp: RFC 3339, as 2026-01-02T03:04:05Z; of any other form time.parse()")
            }
            return .timestamp(time)
        default: throw .overload(value)
        }
    }

    private static func duration(_ value: Value) throws(EvaluationError) -> Value {
        switch value.resolved {
        case .duration: return value
        case .string(let text):
            guard let nanoseconds = TimeText.duration(text) else {
                throw EvaluationError(.badConversion, "string to duration: as 1h30m, 90s or 500ms")
            }
            return .duration(nanoseconds: nanoseconds)
        default: throw .overload(value)
        }
    }
}
