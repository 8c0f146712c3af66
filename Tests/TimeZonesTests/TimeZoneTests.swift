import Testing

@testable import TimeZones

/// The expected offsets are those of Python's zoneinfo.
struct TimeZoneTests {
    static let times: [Int64] = [
        -2_500_000_000, 0, 515_520_000, 1_700_000_000, 1_720_000_000, 4_000_000_000, 4_015_000_000,
    ]

    /// By the rule behind the last transition in 2037 and later: north, south, a zone of half hours, one that goes back in
    /// summer, and one without summer time.
    @Test(arguments: [
        ("Asia/Shanghai", [29_143, 28_800, 28_800, 28_800, 28_800, 28_800, 28_800]),
        ("America/New_York", [-18_000, -18_000, -14_400, -18_000, -14_400, -14_400, -14_400]),
        ("Europe/Berlin", [3208, 3600, 7200, 3600, 7200, 7200, 3600]),
        ("Australia/Sydney", [36_292, 36_000, 36_000, 39_600, 36_000, 36_000, 39_600]),
        ("Asia/Kolkata", [19_270, 19_800, 19_800, 19_800, 19_800, 19_800, 19_800]),
        ("Pacific/Apia", [45_184, -39_600, -39_600, 46_800, 46_800, 46_800, 46_800]),
        ("Asia/Tehran", [12_344, 12_600, 12_600, 12_600, 12_600, 12_600, 12_600]),
        ("America/St_Johns", [-12_652, -12_600, -9000, -12_600, -9000, -9000, -9000]),
        ("Europe/Dublin", [-1521, 3600, 3600, 0, 3600, 3600, 0]),
    ])
    func offsets(_ name: String, _ expected: [Int64]) throws {
        let zone = try #require(ZoneDatabase.shared.zone(name), "tzdata is not installed")
        #expect(Self.times.map { zone.offset(at: $0) } == expected)
    }

    @Test(arguments: [
        "", "../../etc/passwd", "/etc/passwd", "Asia/../UTC", "Asia/", "Asia//Tokyo", "Asia/Nowhere", "zone.tab",
        "Asia/Shanghai\0", "Etc/.",
    ])
    func noZone(_ name: String) { #expect(ZoneDatabase.shared.zone(name) == nil) }

    @Test func noDatabase() {
        let database = ZoneDatabase(folder: "/nonexistent")
        #expect(!database.isInstalled && database.zone("UTC") == nil)
    }

    /// Berlin 2024: 31 March 2:00 is skipped, 27 October 2:30 comes twice.
    @Test func localTimes() throws {
        let zone = try #require(ZoneDatabase.shared.zone("Europe/Berlin"))
        let (gap, twice): (Int64, Int64) = (1_711_852_200, 1_729_996_200)
        #expect(zone.offset(atLocal: gap - 3600) == 3600)
        #expect(zone.offset(atLocal: gap) == 3600)
        #expect(zone.offset(atLocal: gap + 3600) == 7200)
        #expect(zone.offset(atLocal: twice) == 7200)
        #expect(zone.offset(atLocal: twice + 3600) == 3600)
        #expect(zone.offset(atLocal: 1_720_000_000) == 7200)
    }

    @Test(
        arguments: [
            ("EST5EDT,M3.2.0,M11.1.0", 4_000_000_000, -14_400), ("<+0330>-3:30", 0, 12_600), ("UTC0", 0, 0),
            // Day 60 is the first of March in every year; day 59 counted from zero only in others than leap years.
            ("AAA0BBB,J60/0,J61/0", 951_868_800, 3600), ("AAA0BBB,J60/0,J61/0", 951_782_400, 0),
            ("AAA0BBB,59/0,60/0", 951_782_400, 3600), ("AAA0BBB-2:30:15,J1/0,J365/0", 86_400, 9015),
        ] as [(String, Int64, Int64)])
    func rules(_ text: String, _ time: Int64, _ expected: Int64) throws {
        let rule = try #require(ZoneRule(ArraySlice(text.utf8)))
        #expect(rule.offset(at: time) == expected)
    }

    @Test(arguments: ["", "E5", "EST", "EST5EDT", "EST5EDT,M13.1.0,M1.1.0", "EST5EDT,M3.2.0", "EST5x", "<EST5"])
    func noRule(_ text: String) { #expect(ZoneRule(ArraySlice(text.utf8)) == nil) }

    /// Cut anywhere, a file is no zone or still one, but never a trap.
    @Test func cutFiles() {
        #expect(TimeZone([]) == nil && TimeZone(Array("TZif2".utf8)) == nil)
        let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        #expect(TimeZone(header + [UInt8](repeating: 0xFF, count: 24)) == nil)
        #expect(TimeZone(header + [UInt8](repeating: 0x00, count: 200)) == nil)
    }
}
