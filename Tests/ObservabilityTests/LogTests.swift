import JSONBytes
import Observability
import Redaction
import Testing

@Suite struct LogTests {
    let sink = MemorySink()
    let clock = ManualClock()

    func log(_ level: LogLevel = .info, _ redactor: Redactor = Redactor()) -> Log {
        Log(level: level, sink: sink, redactor: redactor, window: 10) { [clock] in clock.now }
    }

    @Test func writesTypedFields() {
        log().warning(
            "upstream refused",
            [
                .text("upstream", "shop"), .int("attempt", 2), .int("low", Int64.min), .int("high", UInt64.max),
                .bool("reused", true),
                .word("kind", "reset"),
            ])
        #expect(
            sink.all == #"""
                {"time":"2026-11-30T05:15:54.123Z","level":"warning","message":"upstream refused","upstream":"shop",\#
                "attempt":2,"low":-9223372036854775808,"high":18446744073709551615,"reused":true,"kind":"reset"}

                """#)
    }

    @Test(arguments: LogLevel.allCases)
    func dropsWhatIsBelowTheLevel(_ level: LogLevel) throws {
        let log = log(level)
        var made = 0
        func fields() -> [LogField] {
            made += 1
            return []
        }
        log.debug("m", fields())
        log.info("m", fields())
        log.warning("m", fields())
        log.error("m", fields())
        let expected = LogLevel.allCases.filter { $0 >= level }.map { "\($0.name)" }
        #expect(try sink.lines().map { $0.string("level") } == expected)
        #expect(made == expected.count)
    }

    @Test func readsLevelNames() {
        for level in LogLevel.allCases { #expect(LogLevel(bytes("\(level.name)").span) == level) }
        let unknown = LogLevel(bytes("Info").span)
        #expect(unknown == nil)
    }

    @Test func hidesSecretsAndEscapes() throws {
        let redactor = Redactor([bytes("s3cr3t-value")])
        let log = log(.info, redactor)
        log.info("login", [.text("answer", "t=s3cr3t%2Dvalue\n\u{202E}"), .text("token", "tok\"en-1")])
        redactor.add(bytes("tok\"en-1"))
        log.info("login", [.text("token", #"x tok"en-1 {"t":"tok\"en-1"}"#)])
        let lines = try sink.lines()
        #expect(lines[0].raw("answer") == #""t=***\n\u202e""#)
        #expect(lines[1].string("token") == #"x *** {"t":"***"}"#)
    }

    @Test func cutsLongTextAfterRedaction() throws {
        let long = String(repeating: "a", count: 1020)
        log(.info, Redactor([bytes("s3cr3t-value")])).info("m", [.text("f", long + "s3cr3t-value" + long)])
        #expect(try sink.lines()[0].string("f") == long + "***a…")
    }

    @Test func countsRepeatsPerWindowMessageAndSubject() throws {
        let log = log()
        for _ in 0..<5 { log.repeated(.warning, "connect failed", about: bytes("a"), [.text("upstream", "a")]) }
        log.repeated(.warning, "connect failed", about: bytes("b"))
        log.repeated(.warning, "other", about: bytes("a"))
        #expect(try sink.lines().map { $0.int("repeated") } == [nil, nil, nil])
        clock.now += 9
        log.repeated(.warning, "connect failed", about: bytes("a"))
        #expect(try sink.lines().count == 3)
        clock.now += 1
        log.repeated(.warning, "connect failed", about: bytes("a"))
        #expect(try sink.lines().map { $0.int("repeated") } == [nil, nil, nil, 5])
        log.repeated(.warning, "connect failed", about: bytes("a"))
        log.repeated(.debug, "below the level")
        #expect(try sink.lines().count == 4)
    }

    @Test func sweepTellsWhatWasHeldBack() throws {
        let log = log()
        for _ in 0..<3 { log.repeated(.error, "x", about: bytes("s3cr3t")) }
        log.repeated(.error, "y")
        log.sweep()
        #expect(try sink.lines().count == 2)
        clock.now += 10
        log.sweep()
        let last = try #require(try sink.lines().last)
        #expect(try sink.lines().count == 3)
        #expect(last.string("message") == "x" && last.string("about") == "s3cr3t" && last.int("repeated") == 2)
        log.sweep()
        log.repeated(.error, "z")
        log.repeated(.error, "z")
        log.sweep(all: true)
        #expect(try sink.lines().map { $0.int("repeated") } == [nil, nil, 2, nil, 1])
    }

    @Test func aClockSetBackDoesNotSilence() throws {
        let log = log()
        log.repeated(.error, "x")
        clock.now -= 1_000_000
        log.repeated(.error, "x")
        #expect(try sink.lines().count == 2)
    }
}
