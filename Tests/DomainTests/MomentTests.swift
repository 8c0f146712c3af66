import Expressions
import Testing

@testable import Domain

@Suite struct MomentTests {
    @Test(
        arguments: [
            ("2026-12-01T10:00:00Z", 1_796_119_200), ("2026-12-01T18:00:00+08:00", 1_796_119_200),
            ("2026-12-01 18:00:00+0800", 1_796_119_200), ("2026-12-01T10:00:00.1234567Z", 1_796_119_200),
            ("2026-12-01t10:00:00z", 1_796_119_200), ("Tue, 01 Dec 2026 10:00:00 GMT", 1_796_119_200),
            ("1796119200", 1_796_119_200), ("1796119200000", 1_796_119_200), ("1796119200.75", 1_796_119_200),
            ("2026-12-01 10:00:00", nil), ("2026-12-01", nil), ("tomorrow", nil), ("", nil), ("-", nil),
            ("1796119200x", nil), ("2026-13-01T10:00:00Z", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func text(_ told: String, _ expected: Int64?) {
        #expect(Moment.unixSeconds(.text(told)) == expected)
    }

    @Test func numbersAndTimes() {
        #expect(Moment.unixSeconds(.int(1_796_119_200)) == 1_796_119_200)
        #expect(Moment.unixSeconds(.int(1_796_119_200_999)) == 1_796_119_200)
        #expect(Moment.unixSeconds(.double(1_796_119_200.9)) == 1_796_119_200)
        #expect(Moment.unixSeconds(.double(.infinity)) == nil)
        #expect(Moment.unixSeconds(.double(.nan)) == nil)
        #expect(Moment.unixSeconds(.optional(.int(5))) == 5)
        #expect(Moment.unixSeconds(.bool(true)) == nil && Moment.unixSeconds(.null) == nil)
    }
}
