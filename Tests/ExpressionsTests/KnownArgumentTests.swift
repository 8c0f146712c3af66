import Cryptography
import Testing

@testable import Expressions

/// What can never work is said when an expression is checked, with its place.
struct KnownArgumentTests {
    @Test(arguments: [
        ("time.format(now, '%Q')", "1:6: `time.format` can never work here: "),
        ("time.format(now, '%Y', 'Nowhere/Land')", "1:6: `time.format` can never work here: time zone"),
        ("time.parse(text, '%Y-%Q')", "1:6: `time.parse` can never work here: "),
        ("now.getHours('25:00')", "1:5: `getHours` can never work here: time zone"),
        ("charset.encode(text, 'klingon')", "1:9: `charset.encode` can never work here: unknown character set"),
        ("charset.decode(request.body, 'klingon')", "1:9: `charset.decode` can never work here: unknown character set"),
        ("jwt.sign('XS256', secret.password, {})", "1:5: `jwt.sign` can never work here: algorithm: one of HS256"),
        ("jwt.sign('RS256', 'no key', {})", "1:5: `jwt.sign` can never work here: "),
        ("rsa.sha256('-----BEGIN PRIVATE KEY-----', text)", "1:5: `rsa.sha256` can never work here: "),
        ("rsa.verifySha256('no key', text, request.body)", "1:5: `rsa.verifySha256` can never work here: "),
        ("random.hex(4097)", "1:8: `random.hex` can never work here: 0 to 4096"),
        ("totp('1!', now)", "1:1: `totp` can never work here: base 32"),
        ("totp(text, now, 3)", "1:1: `totp` can never work here: digits"),
        ("'%y'.format([text])", "1:6: `format` can never work here: unknown format clause"),
        ("hex.decode('zz')", "1:5: `hex.decode` can never work here: hex"),
        ("duration('5 minutes')", "1:1: `duration` can never work here: string to duration"),
        ("text == '' ? '' : time.format(now, '%Q')", "1:24: `time.format` can never work here: "),
    ])
    func constants(source: String, issue: String) {
        let outcome = TestHost.outcome(source)
        #expect(outcome.hasPrefix("issue: " + issue), "\(outcome)")
    }

    @Test(arguments: [
        "time.format(now, '%Y%m%dT%H%M%SZ') != ''", "time.format(now, text) == 'hello'",
        "time.format(now, '%Y', '+08:00') != ''",
        "int(time.parse('2020', '%Y')) > 0", "charset.encode('a', 'gbk') == b'a'", "size(random.hex(8)) == 16",
        "'%s %d %.2f %x %e %b'.format([1, 2, 3.0, 4, 5.0, 6]) != ''", "jwt.sign('HS256', secret.password, {}) != ''",
        "totp(b'12345678901234567890', timestamp(59), 8) == '94287082'",
    ])
    func fine(source: String) { #expect(TestHost.outcome(source) == "true") }

    /// Secrets are known when a config is checked, and are no constants of the expression.
    @Test func secrets() throws {
        let scope = Scope(
            names: TestHost.scope.names,
            known: { name, member in name == 1 && member == 2 ? .text("not a key, and secret") : nil })
        #expect(throws: ExpressionIssues.self) {
            try Expression(parsing: "rsa.sha256(secret.sign_key, text)", in: scope)
        }
        do {
            _ = try Expression(parsing: "text + string(rsa.sha256(secret.sign_key, text))", in: scope)
        } catch {
            #expect(!error.description.contains("and secret") && error.issues[0].column == 19, "\(error)")
        }
        let other = try Expression(
            parsing: "hex.encode(secret.sign_key) != rsaKey",
            in: Scope(
                names: TestHost.scope.names + [("rsaKey", .string)], known: scope.known))
        #expect(!other.isConstant)
        _ = try Expression(parsing: "rsa.sha256(secret.password, text)", in: scope)
    }
}
