import Bytes
import Testing

@testable import Expressions

/// What is made of a secret is known too, and what nothing leads back from stays to be seen.
@Suite struct SecretTrailTests {
    /// Looks for texts as they are, which is what a mask can do at least.
    private final class Mask {
        var known: [[UInt8]]
        init(_ known: [String]) { self.known = known.map { Array($0.utf8) } }

        func ranges(_ text: Span<UInt8>) -> [Range<Int>] {
            var found: [Range<Int>] = []
            for word in known where !word.isEmpty && word.count <= text.count {
                for start in 0...text.count - word.count
                where ASCII.equal(text.extracting(start..<start + word.count), word.span) {
                    found.append(start..<start + word.count)
                }
            }
            return found
        }

        func masked(_ text: [UInt8]) -> String {
            var flags = text.map { _ in false }
            for range in ranges(text.span) { for index in range { flags[index] = true } }
            var output: [UInt8] = []
            for (index, byte) in text.enumerated() {
                if !flags[index] { output.append(byte) } else if index == 0 || !flags[index - 1] { output.append(0x2A) }
            }
            return String(decoding: output, as: UTF8.self)
        }
    }

    private final class Context: EvaluationContext {
        let host: TestHost
        let trail: SecretTrail?
        init(_ host: TestHost, _ trail: SecretTrail?) { (self.host, self.trail) = (host, trail) }
        func value(at index: Int) throws(EvaluationError) -> Value { try host.value(at: index) }
    }

    private static let form = "b=2&token=t0ken-abc&a=A%2BB"

    /// The value, masked with what is known by then; it is the same as without anybody looking.
    private func shown(_ source: String, isTemplate: Bool = false) throws -> String {
        let mask = Mask(["pa55word", "t0ken-abc", "tpshop2"])
        let trail = SecretTrail(
            least: 4, ranges: { mask.ranges($0) }, learn: { mask.known.append($0) })
        let table = FunctionTable.standard.recording(to: CallRecorder())
        func evaluated(_ table: FunctionTable, _ trail: SecretTrail?) throws -> [UInt8] {
            let scope = Scope(names: TestHost.scope.names, functions: table)
            let context = Context(TestHost(form: Self.form), trail)
            var text: [UInt8] = []
            if isTemplate {
                try Template(parsing: source, in: scope).append(to: &text, context)
            } else {
                try Expression(parsing: source, in: scope).evaluate(context).appendText(to: &text)
            }
            return text
        }
        let text = try evaluated(table, trail)
        #expect(try text == self.text(source, isTemplate), "\(source) has another value when it is looked at")
        #expect(try text == evaluated(table, nil))
        return mask.masked(text)
    }

    private func text(_ source: String, _ isTemplate: Bool) throws -> [UInt8] {
        var text: [UInt8] = []
        let context = TestHost(form: Self.form)
        if isTemplate {
            try Template(parsing: source, in: TestHost.scope).append(to: &text, context)
        } else {
            try Expression(parsing: source, in: TestHost.scope).evaluate(context).appendText(to: &text)
        }
        return text
    }

    @Test(arguments: [
        "secret.password.replace('a', 'b')", "secret.password.reverse()", "secret.password.upperAscii()",
        "secret.password.substring(1)", "secret.password.substring(0, 4)", "secret.password.split('').join('-')",
        "secret.password.split('').map(c, c + 'x').join('')", "secret.password.split('').map(c, c).reverse().join('')",
        "base64.encode(secret.password)", "base64.encode('u:' + secret.password)", "hex.encode(secret.password)",
        "base64.encode(base64.encode(secret.password))", "secret.password + secret.password.reverse()",
        "json.encode(secret.password.split(''))", "string(bytes(secret.password).size() > 1 ? secret.password : '')",
        "cel.bind(x, secret.password.split(''), x[0] + x[1] + x[2] + x[3])",
        "hex.encode(pbkdf2.sha256(secret.password, 's', 2, 8))",
        "bytes.reverse(bytes(secret.password))", "hex.encode(bytes.xor(bytes(secret.password), b'12345678'))",
        "regex.replace(secret.password, '[0-9]', '')", "secret.password.charAt(0) + secret.password.substring(2, 5)",
        "'%s'.format([secret.password.reverse()])", "optional.of(secret.password.reverse()).orValue('')",
        "{'a': secret.password.reverse()}['a']", "[secret.password].map(p, p.substring(2))[0]",
        "true ? secret.password.substring(2) : ''", "[secret.password.reverse()].filter(x, x != '')[0]",
        "request.form['token'].reverse()",
        "request.form.filter(f, f.name == 'token').map(f, f.value.upperAscii()).join()",
    ])
    func nothingOfItIsShown(_ source: String) throws {
        let shown = try shown(source)
        #expect(shown == "*")
    }

    @Test(arguments: [
        ("'Bearer ' + session.token", "Bearer t0ken"), ("'Bearer ' + secret.password", "Bearer *"),
        ("hex.encode(hash.md5(secret.password)) == '' ? 'a' : 'later'", "later"),
        ("string(size(secret.password))", "8"), ("string(secret.password == 'x')", "false"),
        ("secret.password.startsWith('pa') ? 'live' : 'test'", "live"),
        ("request.form.sortBy(f, f.name).map(f, f.name + '=' + f.value).join('&')", "a=A+B&b=2&token=*"),
        ("request.form.map(f, f.name + '=' + f.value).join('&').replace('+', '%20')", "b=2&token=*&a=A%20B"),
        ("request.form.map(f, f.name + '=' + f.value).join('&').upperAscii()", "B=2&TOKEN=*&A=A+B"),
        ("request.form.map(f, f.name + '=' + f.value).join('&').split('&')[2]", "a=A+B"),
        ("request.form.map(f, f.name + '=' + f.value).join('&').split('&')[1]", "token=*"),
        ("request.form['a'].lowerAscii()", "a+b"), ("request.path.upperAscii() + secret.password", "/API/USER/LOGIN*"),
        ("json.encode({'t': secret.password, 'u': 'ann'})", #"{"t":"*","u":"ann"}"#),
        ("pairs.join(pairs.encodeForm(request.form), '=', '&')", "b=2&token=*&a=A%2BB"),
    ])
    func whatIsNoSecretStays(_ source: String, _ expected: String) throws {
        let shown = try shown(source)
        #expect(shown == expected)
    }

    @Test(arguments: [
        "hex.encode(hash.md5(secret.password))", "hex.encode(hmac.sha256(secret.password, request.path))",
        "base64.encode(hmac.sha1(bytes(secret.password), 'x'))",
        "hex.encode(hash.sha1(secret.password.reverse())).upperAscii()",
        "hex.encode(aes.encryptEcb(bytes(secret.password + secret.password), 'x')).substring(1)",
        "jwt.sign('HS256', secret.password, {'iss': 'me'})", "hex.encode(hash.md5(secret.password)).split('').join('')",
    ])
    func resultsOfDigestsStay(_ source: String) throws {
        #expect(try shown(source) == String(decoding: text(source, false), as: UTF8.self))
    }

    /// Whatever stands in it, an expression has the value that it has with nobody looking.
    @Test func everyExampleHoldsWhenItIsFollowed() throws {
        let table = FunctionTable.standard.recording(to: CallRecorder())
        let scope = Scope(names: TestHost.scope.names, functions: table)
        for entry in table.documentation where !entry.example.isEmpty {
            let mask = Mask(["a", "b", "1"])
            let trail = SecretTrail(least: 1, ranges: { mask.ranges($0) }, learn: { mask.known.append($0) })
            let value = try Expression(parsing: entry.example, in: scope).evaluate(Context(TestHost(), trail))
            #expect(value.bool == true, "\(entry.example)")
        }
    }

    @Test func aTokenShowsWhatItClaims() throws {
        let shown = try shown("jwt.sign('HS256', 'k', {'pw': secret.password.reverse()})")
        #expect(shown == "*")
    }

    @Test func textAroundAShortPieceGoesWithIt() throws {
        #expect(try shown("PIN-${secret.password.substring(0, 2)}-", isTemplate: true) == "*")
        #expect(try shown("a ${request.path} ${secret.password.reverse()}", isTemplate: true) == "a /api/User/login *")
    }

    @Test func aShortResultIsToldAtTheEnd() throws {
        var learnt: [[UInt8]] = []
        let trail = SecretTrail(
            least: 4, ranges: { $0.count == 8 ? [0..<8] : [] }, learn: { learnt.append($0) })
        let scope = Scope(names: TestHost.scope.names, functions: .standard.recording(to: CallRecorder()))
        _ = try Expression(parsing: "secret.password.substring(0, 2)", in: scope).evaluate(Context(TestHost(), trail))
        #expect(learnt == [Array("pa".utf8)])
    }
}
