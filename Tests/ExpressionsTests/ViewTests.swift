import Bytes
import JSONBytes
import Testing

@testable import Expressions

/// JSON documents, pairs, host objects and templates as expressions see them.
struct ViewTests {
    static let document = #"""
        {"price":10.10,"id":12345678901234567890,"big":123456789012345678901234567890,"one":1,"text":"a\u00e9","list":[1,"x",null],
        "nested":{"k":{"deep":true}},"code":"0000","flag":false,"dup":1,"dup":2,"exp":1e2,"neg":-0,"bytes":"AAE="}
        """#

    @Test(arguments: [
        "json.price == 10.1 && string(json.price) == '10.10' && json.price > 10",
        "string(json.id) == '12345678901234567890'", "type(json.id) == uint && json.id == 12345678901234567890u",
        "string(json.big) == '123456789012345678901234567890' && type(json.big) == double",
        "json.one + 1 == 2 && json.one == 1.0 && type(json.one) == int", "json.text == 'aé' && json.text.size() == 2",
        "json.list.size() == 3 && json.list[1] == 'x' && json.list[2] == null && 'x' in json.list",
        "json.nested.k.deep && json['nested']['k'] == {'deep': true}", "'one' in json && !('two' in json)",
        "json.code in ['0000'] && int(json.code) == 0 && json.code != 0", "json.dup == 1",
        "type(json.exp) == double && int(json.exp) == 100", "json.neg == 0", "json.list + [5] == [1, 'x', null, 5]",
        "json.list == dyn([1, 'x', null]) && json.nested != dyn({}) && json == json",
        "base64.decode(json.bytes) == b'\\x00\\x01'", "!json.flag && !(json.flag || false)",
        "type(json) == map && type(json.list) == list",
        "json.list.map(v, v == null ? 'null' : string(v)).join(',') == '1,x,null'",
        "json.encode(json.price) == '10.10' && json.encode({'p': json.id}) == '{\"p\":12345678901234567890}'",
        "size(json) == 14 && json.filter(k, k.startsWith('n')).size() == 2", "double(json.one) / 2.0 == 0.5",
        "math.greatest(json.one, 0) == 1", "{json.text: 1}['aé'] == 1", "json.text.upperAscii() == 'Aé'",
    ])
    func json(source: String) { #expect(TestHost.outcome(source, TestHost(json: ViewTests.document)) == "true") }

    @Test(arguments: [
        "request.query('a') == '1' && request.query['b'] == '2' && request.query.a == '1'",
        "request.query[2].value == '3' && request.query[2].name == 'a'", "request.query.size() == 3",
        "'a' in request.query && !('A' in request.query)",
        "headers('content-TYPE') == 'text/html' && headers['x-a'] == '1' && 'X-a' in headers",
        "headers.`content-type` == 'text/html'", "request.query.filter(p, p.name == 'a').map(p, p.value) == ['1', '3']",
        "request.query.map(p, p.name + '=' + p.value).join('&') == 'a=1&b=2&a=3'",
        "(request.query + request.headers).size() == 6",
        "request.query == [{'name': 'a', 'value': '1'}, {'name': 'b', 'value': '2'}, {'name': 'a', 'value': '3'}]",
        "request.query.exists(p, p == {'name': 'b', 'value': '2'})",
        "request.query[0]['name'] == 'a' && request.query[0].map(k, k) == ['name', 'value']",
        "json.encode(request.query[1]) == '{\"name\":\"b\",\"value\":\"2\"}'",
        "request.segments(1) == 'User' && request.segments[1] == 'User'",
        "session.token == 't0ken' && session.extra == 7", "session.?missing.orValue('-') == '-'",
        "session.?token.value() == 't0ken' && session['token'] == 't0ken' && session[?'token'].value() == 't0ken'",
        "has(session.token) && session['extra'] == 7",
        "type(request.query) == list", "request.query.reverse()[0].value == '3'",
        "request.query.all(p, p.value.matches('^[0-9]$'))",
        "request.query.sortBy(p, p.value).map(p, p.value) == ['1', '2', '3']", "request.path.split('/')[1] == 'api'",
        // Filtered and sorted pairs are pairs.
        "request.query.filter(p, p.name == 'a')['a'] == '1' && !('b' in request.query.filter(p, p.name == 'a'))",
        "pairs.join(request.query.sortBy(p, p.name).filter(p, p.value != '3'), '=', '&') == 'a=1&b=2'",
        "request.query.sortBy(p, 0 - int(p.value)).map(p, p.value) == ['3', '2', '1'] && request.query[0].value == '1'",
        "headers.filter(h, true)['X-A'] == '1' && request.query.filter(p, false) == []",
        // Macros side by side and inside each other, also through the texts that they are put together to.
        "request.query.map(p, request.query.map(q, p.value + q.value).join('')).join('-') == '111213-212223-313233'",
        "request.query.map(p, p.value != '2', p.name + [1].map(n, string(n)).join('')).join(',') == 'a1,a1'",
        "hex.encode(b'a' + bytes(request.query.map(p, p.value).join(''))) == '61313233'",
        "hash.md5(request.query.map(p, p.value).join('')) == hash.md5('123')",
        "url.encode(request.query.map(p, p.name).join(' ')) == 'a%20b%20a'",
        "['x' + request.query.a, 'y'].join(request.query.b + ';') == 'x12;y'",
        "[request.query][0].size() == 3 && [request.query][0].exists(p, p.name == 'b')",
    ])
    func pairs(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test func referencesTellWhatIsNeeded() throws {
        let source =
            "request.form.map(f, f.value).join('') + secret.sign_key + string(size(text)) + vars['time'] + json.a.b"
        let expression = try Expression(parsing: source, in: TestHost.scope)
        #expect(
            expression.references == [
                Reference("request", "form"), Reference("secret", "sign_key"), Reference("text"),
                Reference("vars", "time"), Reference("json", "a"),
            ])
        #expect(expression.names == ["request", "secret", "text", "vars", "json"])
        #expect(
            try Expression(parsing: "text.size() + headers('a').size()", in: TestHost.scope).references == [
                Reference("text"), Reference("headers"),
            ])
        #expect(try Expression(parsing: "[1].map(json, json)", in: TestHost.scope).references.isEmpty)
    }

    @Test func constantsAreFolded() throws {
        let host = TestHost()
        for source in [
            "1 + 2 * 3", "hex.encode(hash.md5('a' + 'b'))", "int('3600')", "['a', 'b'].join('')", "!(1 == 2)",
        ] {
            #expect(try Expression(parsing: source, in: TestHost.scope).isConstant, "\(source)")
        }
        for source in ["random.uuid()", "status + 1", "1 / 0", "[1]"] {
            #expect(try !Expression(parsing: source, in: TestHost.scope).isConstant, "\(source)")
        }
        _ = try Expression(parsing: "false && status == 1 || 1 == 1", in: TestHost.scope).evaluate(host)
        #expect(host.asked == 0)
    }

    @Test func aPredicateThatErrsIsFalse() throws {
        #expect(try !Expression(parsing: "json.a.b == 1", in: TestHost.scope).holds(TestHost(json: "{}")))
        #expect(try !Expression(parsing: "status", in: TestHost.scope).holds(TestHost()))
        #expect(try Expression(parsing: "status == 200", in: TestHost.scope).holds(TestHost()))
    }

    @Test func aTemplateOfOneExpressionKeepsItsType() throws {
        let host = TestHost(json: #"{"a":10.10,"b":{"c": 1}}"#)
        #expect(try Template(parsing: "${json.a}", in: TestHost.scope).evaluate(host).typeName == .double)
        #expect(try Template(parsing: " ${json.a}", in: TestHost.scope).evaluate(host).typeName == .string)
        var text: [UInt8] = []
        try Template(
            parsing: "${json.a}|${json.b}|${json.?x}|${null}|${[1, 'a']}|${b'hi'}|${1.0}|$|$$|$${", in: TestHost.scope
        ).append(to: &text, host)
        #expect(String(decoding: text, as: UTF8.self) == #"10.10|{"c": 1}|||[1,"a"]|hi|1|$|$$|${"#)
        #expect(try Template(parsing: "plain", in: TestHost.scope).isConstant)
        #expect(
            try Template(parsing: "${secret.password}", in: TestHost.scope).references == [
                Reference("secret", "password")
            ])
    }

    @Test(arguments: [
        (
            "a ${jsn.x} b ${sttus}",
            "1:5: unknown name `jsn`; did you mean `json`?\n1:16: unknown name `sttus`; did you mean `status`?"
        ), ("${1 +}", "1:6: expected an expression before the end"), ("a\n${'x", "2:3: string is not closed"),
        ("${{'a': 1}.a", "1:13: `${` is not closed"), ("${}", "1:3: expression is empty"),
        ("${1 2}", "1:5: unexpected a number; is an operator missing?"),
    ])
    func templateIssues(source: String, expected: String) {
        let issues = #expect(throws: ExpressionIssues.self) { try Template(parsing: source, in: TestHost.scope) }
        #expect(issues?.description == expected)
    }

    @Test func hiddenNamesAreNotSuggested() {
        let scope = Scope(names: [("", .dyn), ("status", .int)])
        let issues = #expect(throws: ExpressionIssues.self) { try Expression(parsing: "a", in: scope) }
        #expect(issues?.description == "1:1: unknown name `a`; known: status")
    }

    @Test func textOfMessagesKeepsWhatJSONSaid() throws {
        let document = try JSONDocument(parsing: Array(#"{ "a" : [1.0, 1e2] }"#.utf8))
        var (text, json): ([UInt8], [UInt8]) = ([], [])
        Value.json(document.root).appendText(to: &text)
        Value.map(
            MapValue([
                ("d", .json(document.root)), ("t", .text("\u{1}\"")), ("n", .double(.nan)),
                ("s", .timestamp(Timestamp(seconds: 0)!)),
            ])
        ).appendJSON(to: &json)
        #expect(String(decoding: text, as: UTF8.self) == #"{ "a" : [1.0, 1e2] }"#)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"d":{ "a" : [1.0, 1e2] },"t":"\u0001\"","n":null,"s":"1970-01-01T00:00:00Z"}"#)
    }
}
