import JSONBytes
import Observability
import Redaction
import Testing

@Suite struct AccessLogTests {
    let sink = MemorySink()

    func record(_ target: String = "/a/b?x=1") -> AccessRecord {
        AccessRecord(
            unixNanoseconds: 1_796_015_754_123_999_999, id: bytes("7f3a"), remote: bytes("127.0.0.1"),
            method: bytes("GET")[...],
            target: AccessTarget(bytes(target).span), outcome: LogWord("forwarded"))
    }

    func line(_ record: AccessRecord, redactor: Redactor? = nil) throws -> JSONValue {
        let log = AccessLog(sink: sink, redactor: redactor) {}
        log.append(record)
        log.flush()
        return try #require(try sink.lines().last)
    }

    @Test func writesEveryField() throws {
        var record = record("/orders/7?token=hunter2&page=3")
        record.route = bytes("orders")
        record.upstream = bytes("shop")
        record.session = bytes("main")
        record.status = 200
        record.upstreamStatus = 201
        record.error = LogWord("upstream_reset")
        record.bytesIn = 12
        record.bytesOut = 3_000_000_000
        record.duration = 12_345_678
        record.upstreamDuration = 999
        record.attempts = 2
        record.isReplayed = true
        _ = try line(record)
        #expect(
            sink.all == #"""
                {"time":"2026-11-30T05:15:54.123Z","id":"7f3a","remote":"127.0.0.1","method":"GET","path":"/orders/7",\#
                "query_keys":"token&page","route":"orders","upstream":"shop","session":"main","status":200,\#
                "upstream_status":201,"outcome":"forwarded","error":"upstream_reset","bytes_in":12,"bytes_out":3000000000,\#
                "duration_ms":12.345,"upstream_ms":0.000,"attempts":2,"replayed":true}

                """#)
    }

    @Test func leavesOutWhatDidNotHappen() throws {
        let keys = try line(record("/")).keys
        #expect(
            keys == [
                "time", "id", "remote", "method", "path", "status", "outcome", "bytes_in", "bytes_out", "duration_ms",
                "attempts",
                "replayed",
            ])
    }

    @Test(
        arguments: [
            ("/a?user=u&password=p%26q&x", "/a", "user&password&*"), ("/?SGVsbG8tdG9rZW4", "/", "*"),
            ("/a?", "/a", nil), ("/a?&&", "/a", nil),
            ("/a?=v&k=", "/a", "&k"), ("/a?k=a=b?c", "/a", "k"),
            ("/a;jsessionid=S3/b;v=1;w=2/c=d?q=1", "/a;jsessionid/b;v;w/c=d", "q"),
            ("/a#frag=1", "/a", "frag"), ("*", "*", nil), ("", nil, nil), ("/a?k=v#x", "/a", "k"),
        ] as [(String, String?, String?)])
    func keepsQueryNamesOnly(_ target: String, _ path: String?, _ keys: String?) throws {
        let value = try line(record(target))
        #expect(value.string("path") == path)
        #expect(value.string("query_keys") == keys)
    }

    @Test func sumsUpManyQueryNames() throws {
        let query = (0..<100).map { "k\($0)=v" }.joined(separator: "&")
        let keys = try #require(try line(record("/?" + query)).string("query_keys"))
        #expect(keys.hasPrefix("k0&k1&") && keys.hasSuffix("&k31&*"))
    }

    @Test func escapesWhatCouldFakeALine() throws {
        let value = try line(record("/a\"\n{\"status\":1}\u{202E}\u{9B}\u{7F}\u{1B}[31m"))
        #expect(sink.all.filter { $0 == "\n" }.count == 1)
        #expect(value.raw("path") == #""/a\"\n{\"status\":1}\u202e\u009b\u007f\u001b[31m""#)
    }

    @Test func hidesAKnownSecretInThePathEvenWhereItIsCut() throws {
        let long = "/" + String(repeating: "a", count: 2040)
        let value = try line(
            record("\(long)s3cr3t-value/tail?s3cr3t-value=1"), redactor: Redactor([bytes("s3cr3t-value")]))
        #expect(value.string("path") == "\(long)***/tai…")
        #expect(value.string("query_keys") == "***")
    }

    @Test func cutsAtACharacter() throws {
        let value = try line(record("/" + String(repeating: "é", count: 2000)))
        #expect(value.string("path") == "/" + String(repeating: "é", count: 1023) + "…")
    }

    @Test func collectsATickInOneWrite() throws {
        var scheduled = 0
        let log = AccessLog(sink: sink, redactor: nil) { scheduled += 1 }
        for _ in 0..<3 { log.append(record()) }
        #expect(scheduled == 1 && sink.writes.isEmpty)
        log.flush()
        log.flush()
        #expect(sink.writes.count == 1)
        #expect(try sink.lines().count == 3)
        log.append(record())
        #expect(scheduled == 2)
    }

    @Test func writesEarlyWhenMuchIsWaiting() throws {
        let log = AccessLog(sink: sink, redactor: nil) {}
        for _ in 0..<300 { log.append(record("/" + String(repeating: "x", count: 1500))) }
        #expect(sink.writes.count == 1)
        log.flush()
        #expect(try sink.lines().count == 300)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999_000_000, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (1_078_012_800_001_000_000, "2004-02-29T00:00:00.001Z"),
            (1_735_689_599_000_000_000, "2024-12-31T23:59:59.000Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (UInt64.max, "2554-07-21T23:34:33.709Z"),
        ] as [(UInt64, String)])
    func writesTheTime(_ nanoseconds: UInt64, _ expected: String) throws {
        var record = record()
        record.unixNanoseconds = nanoseconds
        #expect(try line(record).string("time") == expected)
    }
}
