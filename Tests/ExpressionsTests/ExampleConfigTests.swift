import Testing

@testable import Expressions

/// Every expression of the example configuration.
struct ExampleConfigTests {
    static let answer = #"{"status":"1","msg":"ok","result":{"token":"abc","user_id":2591,"amount":10.10}}"#

    @Test(arguments: [
        ("int(json.status) > 0", "true"),
        ("int(json.status) in [-1, -2, -3]", "false"),
        ("int(json.status) in [-100, -101, -102]", "false"),
        ("json.result.token", "\"abc\""),
        ("json.result.user_id", "2591"),
        ("json.result.amount", "10.10"),
        ("string(int(now))", "\"1492495675\""),
        ("json.status", "\"1\""),
        ("json.?result.or(json.?data)", #"{"token":"abc","user_id":2591,"amount":10.10}"#),
        ("request.query(\"a\") + headers('x-A')", "\"11\""),
    ])
    func expression(source: String, expected: String) {
        #expect(TestHost.outcome(source, TestHost(json: ExampleConfigTests.answer)) == expected)
    }

    @Test(arguments: [
        ("${secret.username}", "u5er"),
        ("${hex.encode(hash.md5('TPSHOP' + secret.password))}", "da1f8f717a951fc31214c816daaef85f"),
        ("3600", "3600"),
        ("${session.token}", "t0ken"),
        ("${vars.time}", "1492495675"),
        ("/index.php?m=Api&c=${request.segments[1]}&a=${request.segments[2]}", "/index.php?m=Api&c=User&a=login"),
        ("${code.orValue(-1)}", "1"),
        ("${message}", "ok"),
        ("$${x} $5 ${'}' + \"${\"}", "${x} $5 }${"),
    ])
    func template(source: String, expected: String) throws {
        let template = try Template(parsing: source, in: TestHost.scope)
        var text: [UInt8] = []
        try template.append(to: &text, TestHost(json: ExampleConfigTests.answer))
        #expect(String(decoding: text, as: UTF8.self) == expected)
    }
}
