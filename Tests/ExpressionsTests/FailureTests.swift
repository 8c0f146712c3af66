import JSONBytes
import Testing

@testable import Expressions

/// What goes wrong, where, and what is said about it.
struct FailureTests {
    @Test(arguments: [
        ("1 +", "1:4: expected an expression before the end"), ("", "1:1: expression is empty"),
        ("1 2", "1:3: unexpected a number; is an operator missing?"),
        ("a.b.", "1:5: expected a field name before the end"),
        ("(1", "1:3: expected `)` before the end"), ("[1, 2", "1:6: expected `]` before the end"),
        ("'abc", "1:1: string is not closed"),
        ("'a\nb'", "1:1: string is not closed"), (#"'\q'"#, #"1:2: unknown escape; a backslash is written `\\`"#),
        (#"'\ud800'"#, "1:2: no such code point"), (#"'\x4'"#, "1:2: escape is cut short"),
        (#"b'\u0041'"#, #"1:3: unknown escape; a backslash is written `\\`"#),
        ("9223372036854775808", "1:1: number is out of range; write `u` behind it for a uint"),
        ("-9223372036854775809", "1:1: number is out of range"),
        ("18446744073709551616u", "1:1: number is out of range"), ("1e999", "1:1: number is out of range"),
        ("0x", "1:1: hexadecimal digits are missing"),
        ("12ab", "1:1: malformed number"), ("1 = 1", "1:3: unexpected character `=`; compare with `==`"),
        ("true & true", "1:6: unexpected character `&`; write `&&`"),
        ("true and true", "1:6: unexpected `and`; write `&&`"), ("while", "1:1: `while` is a reserved word"),
        ("json.in", "1:6: `in` is a keyword; write `[\"in\"]` for a field with that name"),
        ("Foo{a: 1}", "1:4: unexpected `{`; messages are not supported; write a map `{\"name\": value}`"),
        ("\n  jsn.status", "2:3: unknown name `jsn`; did you mean `json`?"),
        ("'中' + jsn", "1:7: unknown name `jsn`; did you mean `json`?"),
        ("request.fom", "1:9: request has no member `fom`; did you mean `form`?"),
        ("has(request.fom)", "1:13: request has no member `fom`; did you mean `form`?"),
        ("secret.nothing_like_it", "1:8: secret has no member `nothing_like_it`; known: password, sign_key, username"),
        ("if(true, 1, 2)", "1:1: `if` is a reserved word; write `condition ? one : other`"),
        ("md5('a')", "1:1: unknown function `md5`; did you mean `hash.md5`, `hmac.md5`, `rsa.md5`?"),
        (
            "base64('a').size() > 0",
            "1:1: unknown function `base64`; did you mean `base64.decode`, `base64.encode`, `base64.encodeUnpadded`?"
        ),
        ("length('abcd')", "1:1: unknown function `length`; write `size(x)`"),
        ("'a'.toUpperCase()", "1:5: unknown function `toUpperCase`; write `x.upperAscii(...)`"),
        ("request.body.length", "1:14: a bytes has no field `length`; write `size(x)`"),
        ("hash.md55('a')", "1:6: unknown function `hash.md55`; did you mean `hash.md5`?"),
        ("'a'.containz('b')", "1:5: unknown function `containz`; did you mean `contains`?"),
        ("contains('a', 'b')", "1:1: unknown function `contains`; write `x.contains(...)`"),
        ("'a'.string()", "1:5: unknown function `string`; write `string(x)`, not `x.string()`"),
        ("hash", "1:1: `hash` is a function; call it: `hash(...)`"),
        ("text.size", "1:6: a string has no field `size`; call it: `.size(...)`"),
        (
            "'a'.substring()",
            "1:5: `substring` does not take 0 arguments; `(string).substring(int) -> string`, `(string).substring(int, int) -> string`"
        ),
        ("hash.md5(1)", "1:6: `hash.md5` does not take (int); `hash.md5(string|bytes) -> bytes`"),
        ("1 + 'a'", "1:3: `+` does not take int and string; convert one of them: `string(x)` or `int(x)`"),
        ("1 + 1.0", "1:3: `+` does not take int and double; convert one of them: `int(x)`, `uint(x)` or `double(x)`"),
        ("'a' < 1", "1:5: `<` cannot compare string with int; convert one of them: `string(x)` or `int(x)`"),
        ("status == '200'", "1:8: a int never equals a string; convert one of them: `string(x)` or `int(x)`"),
        ("status in ['200']", "1:8: a int is never in a list of string; convert one of them: `string(x)` or `int(x)`"),
        ("1 in 2", "1:3: `in` needs a list or a map, found int"),
        ("status ? 1 : 2", "1:1: expected a bool, found int"), ("!1", "1:2: expected a bool, found int"),
        ("-'a'", "1:1: cannot negate a string"),
        ("[1].map(1, 2)", "1:9: expected the name of a variable"),
        ("text.map(c, c)", "1:6: `map` needs a list or a map, found string"),
        ("[1].reduce(1, n, n, 0)", "1:12: expected the name of a variable"),
        ("text.reduce(a, n, a, 0)", "1:6: `reduce` needs a list or a map, found string"),
        ("[1].reduce(a, n, b, 0)", "1:18: unknown name `b`; did you mean `x`?"),
        ("[1].reduce(a, n, a + n, a)", "1:25: unknown name `a`; did you mean `x`?"),
        (
            "session['tokn'] + secret['nothing_like_it']",
            "1:25: secret has no member `nothing_like_it`; known: password, sign_key, username"
        ),
        ("[1].filter(n, n)", "1:15: `filter` needs a bool, found int"),
        ("request.form.map(f, f.key)", "1:23: a pair has no field `key`; known: name, value"),
        ("has(1)", "1:5: `has` takes a field, such as `has(a.b)`"),
        ("'a'.matches('(')", "1:5: bad pattern: `(` is not closed"),
        ("[1]['a']", "1:4: a list is indexed by int, not by string"), ("{1.5: 1}", "1:2: a map key cannot be a double"),
        ("code + 1", "1:6: `+` does not take optional and int; take the value out: `x.orValue(...)`"),
        ("1 + a + b", "1:5: unknown name `a`; did you mean `x`?\n1:9: unknown name `b`; did you mean `x`?"),
    ])
    func issue(source: String, expected: String) { #expect(TestHost.outcome(source) == "issue: " + expected) }

    @Test(arguments: [
        ("json.nothing", "no such key: nothing", 5), ("x.a", "no such overload: int", 2),
        ("'a' + 'b' + dyn(1)", "no such overload: string, int", 10),
        ("b'a' + dyn(1)", "no such overload: bytes, int", 5),
        ("[dyn(1)].join('-')", "no such overload: int", 9),
        ("hash.md5('a' + json.nothing)", "no such key: nothing", 20),
        ("1 / 0", "division by zero", 2), ("1 % 0", "division by zero", 2),
        ("9223372036854775807 + 1", "overflow", 20), ("-9223372036854775808 - 1", "overflow", 21),
        ("0u - 1u", "overflow", 3), ("-(-9223372036854775808)", "overflow", 0),
        ("-9223372036854775808 / -1", "overflow", 21), ("4611686018427387904 * 2", "overflow", 20),
        ("int(text)", "cannot convert: string to int", 0), ("double(text)", "cannot convert: string to double", 0),
        ("bool(text)", "cannot convert: string to bool", 0),
        ("[1][1]", "index out of range", 3), ("[1][-1]", "index out of range", 3),
        ("{'a': 1}['b']", "no such key: b", 8),
        ("x + dyn('a')", "no such overload: int, string", 2), ("dyn(1) + dyn(1.0)", "no such overload: int, double", 7),
        ("{'a': 1, 'a': 2}", "duplicate key", 9), ("{1: 1, 1u: 2}", "duplicate key", 7),
        ("x && true", "no such overload: int", 2), ("[true, x].all(b, b)", "no such overload: int", 10),
        ("text.charAt(9)", "index out of range", 5),
        ("text.substring(2, 1)", "index out of range", 5),
        ("timestamp(text)", "cannot convert: string to timestamp", 0),
        ("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "overflow", 34),
        ("duration(text)", "cannot convert: string to duration", 0),
        ("duration('9999999' + text.left(1))", "cannot convert: string to duration", 0),
        ("optional.none().value()", "optional has no value", 16),
        ("[3, dyn(text)].sort()", "no such overload: int, string", 15),
        ("'%d'.format([text])", "no such overload: string", 5),
        ("text.format([])+(text+'%s').format([])", "bad argument: format has more clauses than values", 28),
        ("base64.decode('*' + text)", "bad argument: base64", 7), ("hex.decode(text)", "bad argument: hex", 4),
        ("json.decode(text)", "bad argument: JSON", 5), ("request.json.a", "not available: json", 8),
        ("request.form.token", "no such key: token", 13), ("headers('nothing')", "no such key: nothing", 0),
        ("rsa.sha256(text, 'm')", "failed: key cannot be read: neither PEM nor DER nor base 64 of DER", 4),
    ])
    func error(source: String, expected: String, offset: Int) throws {
        let host = source.contains("request.json") ? TestHost(x: .int(5)) : TestHost(json: "{}", x: .int(5))
        let expression = try Expression(parsing: source, in: TestHost.scope)
        do {
            let value = try expression.evaluate(host)
            Issue.record("\(source) has a value of type \(value.typeName.name)")
        } catch {
            #expect(error.description.hasPrefix(expected.hasPrefix("failed") ? "failed" : expected), "\(error)")
            #expect(error.offset == offset)
        }
    }

    /// What types do not fit, and what would.
    @Test(arguments: [
        ("x + dyn('a')", "no such overload: int, string for `+`"),
        ("dyn(text).charAt(x.a)", "no such overload: int"),
        (
            "dyn(text).charAt(json)",
            "no such overload: map for `charAt`; there is `(string).charAt(int) -> string`"
        ),
        ("hash.md5(dyn(json))", "no such overload: map for `md5`; there is `hash.md5(string|bytes) -> bytes`"),
    ])
    func overloads(source: String, expected: String) throws {
        let expression = try Expression(parsing: source, in: TestHost.scope)
        let error = #expect(throws: EvaluationError.self) { try expression.evaluate(TestHost(json: "{}", x: .int(5))) }
        #expect(error?.description.hasPrefix(expected) == true, "\(String(describing: error))")
    }

    /// Whatever is done with a secret, an error tells names and types only.
    @Test(arguments: [
        "int(secret.password)", "double(secret.password)", "bool(secret.password)", "timestamp(secret.password)",
        "duration(secret.password)", "{'a': 1}[secret.password]",
        "json[secret.password]", "headers(secret.password)", "secret.password + dyn(1)", "dyn(secret.password).x",
        "[1][dyn(secret.password)]", "hex.decode(secret.password)", "json.decode(secret.password)",
        "base64.decode(secret.password + '!')", "'%d'.format([secret.password])",
        "secret.password.format([])+secret.password.charAt(99)", "rsa.sha256(secret.password, 'a')",
        "'a'.matches(secret.password + '(')",
        "time.format(now, '%!' + secret.password)", "now.getHours(secret.password)",
        "{secret.password: 1, secret.password: 2}", "-dyn(secret.password)", "[secret.password, dyn(1)].sort()",
        "optional.of(secret.password).value().value()",
    ])
    func secretsStayOutOfErrors(source: String) throws {
        let expression = try Expression(parsing: source, in: TestHost.scope)
        let error = #expect(throws: EvaluationError.self) { try expression.evaluate(TestHost(json: "{}")) }
        #expect(error?.description.contains("pa55word") == false)
        #expect(error.map { "\($0)" + String(reflecting: $0) }?.contains("pa55") == false)
    }

    /// A literal in the source may be a secret that should not be there.
    @Test func literalsStayOutOfIssues() {
        #expect(!TestHost.outcome("1 + 2 'pa55word'").contains("pa55"))
        #expect(!TestHost.outcome("hash.md5(1, 'pa55word')").contains("pa55"))
        #expect(!TestHost.outcome("secret.sign_key.matches('(pa55word')").contains("pa55"))
    }

    @Test func endlessWorkIsStopped() throws {
        let source = "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, a + b + c >= 0)))"
        let expression = try Expression(parsing: source, in: TestHost.scope)
        let error = #expect(throws: EvaluationError.self) { try expression.evaluate(TestHost()) }
        #expect(error?.kind == .budgetExceeded)
        let doubled = try Expression(
            parsing: "lists.range(64).reduce(s, i, s + s, 'sixteen letters.')", in: TestHost.scope)
        let tooMuch = #expect(throws: EvaluationError.self) { try doubled.evaluate(TestHost()) }
        #expect(tooMuch?.kind == .budgetExceeded || tooMuch?.kind == .tooLarge)
        // Not even an operator that absorbs errors hides that.
        #expect(TestHost.outcome("true || " + source) == "true")
        #expect(TestHost.outcome(source + " || true").hasPrefix("error: too many steps"))
    }

    /// Freeing or comparing what has 100,000 levels ends the process.
    @Test(arguments: ["[s]", "{'a': s}", "optional.of(s)", "[x, [s, 1]]"])
    func depthIsStopped(_ next: String) {
        #expect(TestHost.outcome("size([lists.range(200).reduce(s, x, \(next), 1)])") == "1")
        for count in [600, 9000] {
            #expect(
                TestHost.outcome("size([lists.range(\(count)).reduce(s, x, \(next), 1)])")
                    .hasPrefix("error: too large: more than 512 values within each other"))
        }
    }

    @Test func growthIsStopped() {
        let doubled = (0..<40).reduce("text") { inner, _ in "(\(inner)).replace('l', 'llllllllll')" }
        #expect(TestHost.outcome(doubled).hasPrefix("error: t"))
    }

    @Test func deepSourcesAreRefused() {
        #expect(
            TestHost.outcome(String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200)).hasPrefix(
                "issue: 1:129: nested too deeply"))
        #expect(
            TestHost.outcome(String(repeating: "!", count: 50_000) + "true").hasPrefix(
                "issue: 1:129: nested too deeply"))
        #expect(TestHost.outcome(String(repeating: "-", count: 50_000) + "x").hasPrefix("issue"))
        #expect(TestHost.outcome("1" + String(repeating: " + 1", count: 5000)).contains("too deep"))
        #expect(TestHost.outcome("x" + String(repeating: ".a", count: 5000)).contains("too deep"))
        #expect(TestHost.outcome("true" + String(repeating: " && true", count: 5000)) == "true")
        #expect(TestHost.outcome("1" + String(repeating: " + 1", count: 300)) == "301")
        #expect(TestHost.outcome(String(repeating: " ", count: 70_000) + "1").contains("too long"))
    }
}
