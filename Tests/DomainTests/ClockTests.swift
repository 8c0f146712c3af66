import Testing

@testable import Domain

@Suite struct ClockTests {
    private func learn(_ clock: inout ClockOffset, _ upstream: Int64, trip: UInt64 = 0, wall: Int64 = 1_000_000) {
        clock.learn(upstream: upstream, sentAt: s(5), receivedAt: s(5) + trip, wall: (wall, 0))
    }

    @Test func aDifferenceIsLearntFromTheMiddle() {
        var clock = ClockOffset()
        learn(&clock, 1_000_100, trip: s(2))
        // Half a second since Date is cut, one second since the answer was made half way.
        #expect(clock.nanoseconds == 101_500_000_000)
        #expect(clock.corrected((1_000_000, 0)) == (1_000_101, 500_000_000))
    }

    @Test(arguments: [Int64(-1), 0]) func aDifferenceWithinTheResolutionIsNone(_ seconds: Int64) {
        var clock = ClockOffset()
        learn(&clock, 1_000_000 + seconds)
        #expect(clock.nanoseconds == 0)
    }

    @Test(arguments: [Int64(86_400), -86_401, 100_000_000_000, .max, .min, -1_000_000])
    func whatIsTooFarIsNoClock(_ difference: Int64) {
        var clock = ClockOffset()
        learn(&clock, difference.addingReportingOverflow(1_000_000).partialValue)
        #expect(clock.nanoseconds == 0)
    }

    @Test func slowExchangesAndBackwardTimesTeachNothing() {
        var clock = ClockOffset()
        learn(&clock, 1_000_100, trip: s(11))
        clock.learn(upstream: 1_000_100, sentAt: s(5), receivedAt: s(4), wall: (1_000_000, 0))
        #expect(clock.nanoseconds == 0)
    }

    @Test func oneOddAnswerDoesNotMoveTheClockTwoDo() {
        var clock = ClockOffset()
        learn(&clock, 1_000_100)
        learn(&clock, 1_000_500)
        #expect(clock.seconds == 100)
        learn(&clock, 1_000_100)
        learn(&clock, 1_000_500)
        #expect(clock.seconds == 100)
        learn(&clock, 1_000_501)
        #expect(clock.seconds == 501)
    }

    @Test func smallChangesAreSmoothed() {
        var clock = ClockOffset()
        learn(&clock, 1_000_100)
        learn(&clock, 1_000_101)
        #expect(clock.nanoseconds == 100_625_000_000)
    }

    @Test func cachedAndUnreadableDatesTeachNothing() {
        let date = ("Date", "Mon, 12 Jan 1970 13:48:20 GMT")  // 1_000_100
        for pairs in [[date, ("Age", "0")], [("Date", "yesterday")], []] {
            var clock = ClockOffset()
            clock.learn(from: fields(pairs), sentAt: 0, receivedAt: 0, wall: (1_000_000, 0))
            #expect(clock.nanoseconds == 0)
        }
        var clock = ClockOffset()
        clock.learn(from: fields([date]), sentAt: 0, receivedAt: 0, wall: (1_000_000, 0))
        #expect(clock.seconds == 100)
    }

    @Test func correctionBorrowsAndCarries() {
        var behind = ClockOffset()
        learn(&behind, 999_900)
        #expect(behind.nanoseconds == -99_500_000_000)
        #expect(behind.corrected((1_000_000, 200_000_000)) == (999_900, 700_000_000))
        #expect(behind.corrected((1_000_000, 900_000_000)) == (999_901, 400_000_000))
    }
}
