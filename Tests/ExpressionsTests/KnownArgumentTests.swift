import Cryptography
import Testing

@testable import Expressions

/// What can never work is said when an expression is checked, with its place.
struct KnownArgumentTests {
    @Test(arguments: [
        ("time.format(now, '%v')", "1:6: `time.format` can never work here: "),
        ("time.format(now, '%Y', 'Nowhere/Land')", "1:6: `time.format` can never work here: time zone"),
        ("time.parse(text, '%Y-%v')", "1:6: `time.parse` can never work here: "),
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
        (
            "aes.encryptCbc('short', request.body, '0123456789abcdef')",
            "1:5: `aes.encryptCbc` can never work here: key does not fit"
        ),
        (
            "aes.encryptCbc(text, request.body, 'short')",
            "1:5: `aes.encryptCbc` can never work here: key does not fit: an initial"
        ),
        ("aes.decryptCbc('short', request.body, text)", "1:5: `aes.decryptCbc` can never work here: key does not fit"),
        (
            "aes.decryptGcm(text, request.body, '')",
            "1:5: `aes.decryptGcm` can never work here: key does not fit: an initial"
        ),
        (
            "sm4.encryptEcb('0123456789abcdef0', request.body)",
            "1:5: `sm4.encryptEcb` can never work here: key does not fit"
        ),
        ("des.decryptEcb('0123456', request.body)", "1:5: `des.decryptEcb` can never work here: key does not fit"),
        ("aes.encryptEcb(text, request.body, 'iso')", "1:5: `aes.encryptEcb` can never work here: padding"),
        ("aes.decryptEcb(text, request.body, 'iso')", "1:5: `aes.decryptEcb` can never work here: padding"),
        ("cmac.aes('short', text)", "1:6: `cmac.aes` can never work here: key does not fit"),
        ("ec.private('P-255', text)", "1:4: `ec.private` can never work here: a curve: P-256"),
        ("ec.public('P-255', text)", "1:4: `ec.public` can never work here: a curve: P-256"),
        ("pairs.flatten(json, 'dotz')", "1:7: `pairs.flatten` can never work here: names: dots or brackets"),
        ("json.decode('{')", "1:6: `json.decode` can never work here: JSON"),
        ("int('x')", "1:1: `int` can never work here: string to int"),
        ("int(1e19)", "1:1: `int` can never work here: overflow"),
        ("regex.extract(text, '(a)(b)')", "1:7: `regex.extract` can never work here: pattern with several groups"),
        ("regex.replace(text, '(a)', '\\\\2')", "1:7: `regex.replace` can never work here: replacement names a group"),
        ("pbkdf2.sha256(text, text, 0, 32)", "1:8: `pbkdf2.sha256` can never work here: iterations: at least 1"),
        ("pbkdf2.sha256(text, text, 10, 5000)", "1:8: `pbkdf2.sha256` can never work here: iterations"),
        ("scrypt(text, text, 15, 8, 1, 32)", "1:1: `scrypt` can never work here: N: a power of two"),
        ("hkdf.sha256(text, text, text, 9000)", "1:6: `hkdf.sha256` can never work here: number of bytes"),
        ("time.parse('2026-13-01', '%Y-%m-%d')", "1:6: `time.parse` can never work here: time: there is no such date"),
        ("time.parse('2026/01/01', '%Y-%m-%d', text)", "1:6: `time.parse` can never work here"),
        ("bytes.xor(text, '')", "1:7: `bytes.xor` can never work here: an empty key"),
        ("text.padStart(3, '')", "1:6: `padStart` can never work here: one character"),
        (
            "hash.md5(dyn(1))",
            "1:6: `hash.md5` can never work here: no such overload: int; `hash.md5(string|bytes) -> bytes`"
        ),
        // Of what is made of constants.
        (
            "aes.encryptCbc(hex.decode('00ff'), request.body, '0123456789abcdef')",
            "1:5: `aes.encryptCbc` can never work"
        ),
        (
            "aes.encryptEcb('0123' + text.left(0) + '4', request.body, 'pkcs' + '6')",
            "1:5: `aes.encryptEcb` can never work here: padding"
        ),
        ("text == '' ? '' : time.format(now, '%v')", "1:24: `time.format` can never work here: "),
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
        "size(aes.encryptEcb('0123456789abcdef', text, 'pkcs5')) == 16",
        "size(aes.encryptCbc('0123456789abcdef', request.body, '0123456789abcdef')) == 16",
        // What is decided already is not tried.
        "'gbk' == 'hex' ? hex.decode('zz') == b'' : true", "('a' == 'b' && hex.decode('zz') == b'') || true",
        "size(hkdf.sha256(text, '', '', 32)) == 32", "regex.replace(text, '(l+)o', '\\\\1') == 'hell'",
        "counter.next('known', 1) == 1",
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

    /// A secret, and what is made of it.
    @Test(arguments: [
        ("aes.encryptEcb(secret.sign_key, text)", 5), ("aes.encryptEcb(hex.decode(secret.sign_key), text)", 20),
        ("aes.encryptEcb(bytes(secret.sign_key + '0'), text)", 5), ("ec.private('P-256', secret.sign_key)", 4),
        ("int(secret.sign_key) + status", 1),
        ("secret.sign_key.size() == 16 ? '' : hex.encode(hex.decode(secret.sign_key))", 52),
    ])
    func madeOfSecrets(source: String, column: Int) {
        let issues = #expect(throws: ExpressionIssues.self) { try Expression(parsing: source, in: Self.short) }
        #expect(issues?.issues.count == 1 && issues?.issues[0].column == column, "\(String(describing: issues))")
        #expect(issues?.description.contains("shrt") == false)
    }

    @Test(arguments: [
        "secret.sign_key.size() == 4 ? '' : hex.encode(hex.decode(secret.sign_key))",
        "secret.sign_key.size() == 16 && hex.decode(secret.sign_key) == b''",
        "aes.encryptEcb(secret.password, text) != b''",
        "cmac.aes(hash.md5(secret.sign_key), text) != b''",
    ])
    func fittingSecrets(source: String) throws { _ = try Expression(parsing: source, in: Self.short) }

    private static let short = Scope(
        names: TestHost.scope.names, known: { name, member in name == 1 && member == 2 ? .text("shrt") : nil })

    /// A variable is as well known as what it is made of.
    @Test func variables() throws {
        let names: [Scope.Name] = [
            ("vars", .object(ObjectType(name: "vars", members: [("a", .dyn), ("b", .dyn)]))), ("text", .string),
        ]
        var noted: [Constant?] = []
        _ = try Expression(parsing: "hex.decode('00')", in: Scope(names: names), noting: { noted.append($0) })
        #expect(noted == [.bytes([0])])
        _ = try Expression(
            parsing: "text + 'a'", in: Scope(names: names), noting: { _ in Issue.record("is not known") })
        let scope = Scope(names: names).knowing(0, [noted[0], nil])
        #expect(throws: ExpressionIssues.self) { try Expression(parsing: "aes.encryptEcb(vars.a, text)", in: scope) }
        _ = try Expression(parsing: "aes.encryptEcb(vars.b, text)", in: scope)
    }

    /// Every sample works, else a right argument beside it would be refused.
    @Test func samples() throws {
        for function in FunctionTable.standard.functions {
            guard let samples = FunctionSamples.samples(for: function.name) else { continue }
            let count = function.signatures.map(\.parameters.count).max() ?? 0
            let values = samples.values.map(\.value)
            // Of a cipher the sample is that of the longest form.
            _ = try (samples.instead ?? function).call(Array(values.prefix(count)))
            #expect(values.count >= function.signatures[0].parameters.count, "\(function.name)")
        }
    }

    /// Whose fault an error is.
    @Test(
        arguments: [
            ("hex.decode(text + secret.password)", ["secret", "text"]), ("hex.decode(secret.password)", ["secret"]),
            ("base64.encode(hex.decode(secret.password)) + text", ["secret"]),
            ("text + string(int(now) / (1 - 1))", ["now"]),
            ("int([secret.password].map(i, i)[0]) + size(text)", ["secret"]),
            ("[text].map(i, [1].map(j, hex.decode(i))[0])[0]", ["text"]),
            ("hex.decode('zz' + nonexistent.a)", nil), ("[1].map(i, hex.decode(text))[0]", ["text"]),
        ] as [(String, Set<String>?)])
    func blame(source: String, expected: Set<String>?) throws {
        guard let expression = try? Expression(parsing: source, in: TestHost.scope) else {
            #expect(expected == nil)
            return
        }
        let error = #expect(throws: EvaluationError.self) { try expression.evaluate(TestHost()) }
        #expect(expression.names(behind: try #require(error)) == expected)
    }
}
