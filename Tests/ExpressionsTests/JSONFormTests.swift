import Testing

@testable import Expressions

/// JSON that two sides agree on, flat names, objects put together.
struct JSONFormTests {
    private func canonical(_ json: String) -> String {
        do {
            let source = "json.canonical(json.decode(x))"
            let value = try Expression(parsing: source, in: TestHost.scope).evaluate(TestHost(x: .text(json)))
            return String(decoding: value.string ?? [], as: UTF8.self)
        } catch {
            return "error: \(error)"
        }
    }

    @Test func theExampleOfTheRFC() {
        let text =
            #"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"#
            + #""string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#
        let expected =
            #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
            + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        #expect(canonical(text) == expected)
    }

    /// RFC 8785 3.2.3: code points would put the smiley behind U+FB33.
    @Test func namesSortAsUTF16() {
        let text = #"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#
        #expect(canonical(text) == "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{FB33}\":3}")
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("5e-324", "5e-324"), ("9007199254740992", "9007199254740992"),
        ("-1.7976931348623157e308", "-1.7976931348623157e+308"), ("9007199254740993", "9007199254740992"),
        ("295147905179352830000", "295147905179352830000"), ("12345678901234567890", "12345678901234567000"),
        ("999999999999999900000", "999999999999999900000"), ("1e21", "1e+21"), ("100", "100"), ("12.5e1", "125"),
        ("9.999999999999997e22", "9.999999999999997e+22"), ("0.000001", "0.000001"), ("0.0000012", "0.0000012"),
        ("0.0000001", "1e-7"), ("1.20", "1.2"), ("333333333.33333325", "333333333.33333325"),
    ])
    func numbersAreWrittenAsInECMAScript(_ token: String, _ expected: String) {
        #expect(canonical("[\(token)]") == "[\(expected)]")
    }

    @Test(arguments: [#"{"a":1,"a":2}"#, #"["\ud83d"]"#, #"{"\udc00":1}"#, "[1e400]", #"{"a":[{"b":1,"b":1}]}"#])
    func whatHasNoCanonicalFormIsAnError(_ text: String) { #expect(canonical(text).hasPrefix("error")) }

    @Test func aNameThatComesTwiceIsTold() {
        let text = canonical("{\"a\":{\"b\\u0063\":1,\"d\":2,\"bc\":3}}")
        #expect(text.contains("JSON with unique names (\"bc\" comes twice)"))
    }

    @Test(arguments: [
        "json.canonical({'b': 1, 'a': [1.0, 'x/', null, true, 2u]}) == '{\"a\":[1,\"x/\",null,true,2],\"b\":1}'",
        #"json.minify(json.decode(r'{ "a b" : [ 1 , "\\\" x" ] , "a": 1e0 }')) == r'{"a b":[1,"\\\" x"],"a":1e0}'"#,
        "json.minify({'b': 1, 'a': ' '}) == '{\"b\":1,\"a\":\" \"}'",
        #"json.encode(json.merge(json.decode('{"a":1.50,"b":[ ]}'), {'t':'x','a':2})) == '{"a":2,"b":[ ],"t":"x"}'"#,
        "json.merge({}, {}) == {}",
    ])
    func texts(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        ("dots", "a.b[0].c=1&a.b[1]=x&a.n=&d=true&e[0][0]=1.50"),
        ("brackets", "a[b][0][c]=1&a[b][]=x&a[n]=&d=true&e[0][]=1.50"),
    ])
    func flatNames(_ style: String, _ expected: String) {
        let json = #"{"a":{"b":[{"c":1},"x"],"n":null,"o":{},"l":[]},"d":true,"e":[[1.50]]}"#
        let flat = "pairs.flatten(json.decode('\(json)'), '\(style)')"
        #expect(TestHost.outcome("pairs.join(\(flat), '=', '&') == '\(expected)'") == "true")
        #expect(TestHost.outcome("\(flat).filter(p, p.value != null).size() == 4") == "true")
    }

    @Test func aListAtTheRootIsNumbered() {
        let names = "pairs.names(pairs.flatten([{'a': 1}, 2], 'dots'))"
        #expect(TestHost.outcome("\(names) == ['[0].a', '[1]']") == "true")
    }

    @Test(arguments: ["pairs.flatten('x', 'dots')", "pairs.flatten({}, 'json')", "json.merge({}, x)"])
    func errors(source: String) { #expect(TestHost.outcome(source).hasPrefix("error")) }

    @Test func levelsAreBounded() {
        let deep = String(repeating: "[", count: 40) + "1" + String(repeating: "]", count: 40)
        #expect(TestHost.outcome("pairs.flatten(json.decode('\(deep)'), 'dots')").hasPrefix("error"))
    }

    @Test(arguments: [
        ("{'a': 1}['nope']", "no such key: nope"), ("request.headers['x-nope']", "no such key: x-nope"),
        ("request.query('nope')", "no such key: nope"), ("{'a': 1}[request.method]", "no such key"),
    ])
    func aMissingKeyIsToldByTheNameInTheSource(_ source: String, _ expected: String) {
        let outcome = TestHost.outcome(source)
        #expect(outcome.contains(expected))
        #expect(!outcome.contains("POST"), "a computed key may be a secret")
    }

    @Test(arguments: [
        ("charset.encode('😀', 'gbk') == b''", "issue"), ("size(charset.encode('é', 'gb2312')) == 2", "true"),
        ("charset.encode('ŕ', 'gbk') == b''", "issue: "), ("charset.encode('€', 'gbk') == b'\\x80'", "true"),
        ("charset.encode('😀', 'gb18030') == b'\\x94\\x39\\xfc\\x36'", "true"),
        ("charset.encode('a中b', 'gb2312') == b'a\\xd6\\xd0b'", "true"),
    ])
    func gbkHasTwoBytesAtMost(_ source: String, _ expected: String) {
        #expect(TestHost.outcome(source).hasPrefix(expected))
    }

    @Test(arguments: [("'aGVs\\r\\nbG8=\\n'", "true"), ("'aGVs bG8='", "issue: "), ("'aGVsbG8=='", "issue: ")])
    func base64MayBeBrokenIntoLines(_ text: String, _ expected: String) {
        #expect(TestHost.outcome("base64.decode(\(text)) == b'hello'").hasPrefix(expected))
    }
}
