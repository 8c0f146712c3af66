import Testing

@testable import Expressions

/// Dates as .NET, Oracle, Java and C write them.
struct TimeParsingTests {
    @Test(arguments: [
        ("'11/30/2026 1:05:09 PM', '%m/%d/%Y %I:%M:%S %p'", "2026-11-30T13:05:09Z"),
        ("'11/30/2026 12:00 am', '%m/%d/%Y %I:%M %p'", "2026-11-30T00:00:00Z"),
        ("'12:00 PM', '%I:%M %p'", "1970-01-01T12:00:00Z"), ("'PM 1', '%p %I'", "1970-01-01T13:00:00Z"),
        ("'30-NOV-26', '%d-%b-%y'", "2026-11-30T00:00:00Z"), ("'30-nov-68', '%d-%b-%y'", "2068-11-30T00:00:00Z"),
        ("'30-NOV-69', '%d-%b-%y'", "1969-11-30T00:00:00Z"),
        ("'november 30, 2026', '%B %d, %Y'", "2026-11-30T00:00:00Z"),
        ("'May 3 2026', '%B %e %Y'", "2026-05-03T00:00:00Z"),
        ("'Monday, 30 Nov 2026', '%A, %d %b %Y'", "2026-11-30T00:00:00Z"),
        ("'Mon Nov  3 04:05:06 2026', '%a %b %e %H:%M:%S %Y'", "2026-11-03T04:05:06Z"),
        ("'2026-3-7 4:5:6', '%Y-%m-%d %H:%M:%S'", "2026-03-07T04:05:06Z"),
        ("'20260307', '%Y%m%d'", "2026-03-07T00:00:00Z"),
        ("'2026-03-07T04:05:06.5', '%Y-%m-%dT%H:%M:%S.%f'", "2026-03-07T04:05:06.5Z"),
        ("'2026-03-07T04:05:06.1234567+08:00', '%Y-%m-%dT%H:%M:%S.%f%z'", "2026-03-06T20:05:06.1234567Z"),
        ("'20260307040506789', '%Y%m%d%H%M%S%L'", "2026-03-07T04:05:06.789Z"),
        ("'/Date(1700000000123+0800)/', '/Date(%Q%z)/'", "2023-11-14T22:13:20.123Z"),
        ("'2026-060', '%Y-%j'", "2026-03-01T00:00:00Z"), ("'2024366', '%Y%j'", "2024-12-31T00:00:00Z"),
        ("'/Date(-1)/', '/Date(%Q)/'", "1969-12-31T23:59:59.999Z"),
    ])
    func forms(arguments: String, expected: String) {
        #expect(TestHost.outcome("string(time.parse(\(arguments)))") == "\"\(expected)\"")
    }

    @Test(arguments: [
        ("'13:00 PM', '%I:%M %p'", "time: there is no such date or hour"),
        ("'0 AM', '%I %p'", "time: there is no such"),
        ("'2026-11-31', '%Y-%m-%d'", "time: there is no such date"),
        ("'26-11-30', '%Y-%m-%d'", "another form than the one given, at %Y"),
        ("'2026-1130', '%Y-%m-%d'", "between the fields"), ("'2026-11-30x', '%Y-%m-%d'", "behind the last field"),
        ("'30 Nou', '%d %b'", "at %b"), ("'1.', '%S.%f'", "at %f"), ("'1', '%V'", "`%V` cannot be read; known: %Y"),
        ("'2026 366', '%Y %j'", "no such date"), ("'2026 0', '%Y %j'", "no such date"),
        ("'1', '%'", "date field is cut short"), ("'99999999999999999999', '%Q'", "at %Q"),
    ])
    func errors(arguments: String, expected: String) {
        let outcome = TestHost.outcome("time.parse(\(arguments))")
        #expect(outcome.contains("`time.parse` can never work here: ") && outcome.contains(expected), "\(outcome)")
    }

    /// Weeks of ISO 8601 around the turns of years.
    @Test(arguments: [
        ("2026-11-30", "2026-W49-1"), ("2027-01-01", "2026-W53-5"), ("2027-01-03", "2026-W53-7"),
        ("2027-01-04", "2027-W01-1"), ("2024-12-30", "2025-W01-1"), ("2025-12-29", "2026-W01-1"),
        ("2021-01-03", "2020-W53-7"), ("2022-01-02", "2021-W52-7"), ("2028-12-31", "2028-W52-7"),
    ])
    func weeks(day: String, week: String) {
        #expect(TestHost.outcome("time.format(timestamp('\(day)T00:00:00Z'), '%G-W%V-%u')") == "\"\(week)\"")
    }

    @Test func milliseconds() {
        #expect(TestHost.outcome("time.format(timestamp('1970-01-01T00:00:01.5Z'), '%Q')") == "\"1500\"")
    }
}
