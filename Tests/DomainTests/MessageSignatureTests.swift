import Bytes
import Testing

@testable import Domain

/// Structured fields and component identifiers of RFC 9421; whole messages are signed by the conformance tests.
struct MessageSignatureTests {
    @Test(arguments: [
        ("a, b", "a, b"), ("a,\tb ,  c", "a, b, c"), ("\"a\\\"b\"", "\"a\\\"b\""),
        ("1.50, 001, -0, 2.0", "1.5, 1, 0, 2.0"),
        ("(a  b );x;y=1 , ?1", "(a b);x;y=1, ?1"), (":aGk:;a=?1", ":aGk=:;a"), ("@1659578233", "@1659578233"),
        ("a=1, b, c;x=2, a=3", "a=3, b, c;x=2"), ("u=(1 2);q, i=?0", "u=(1 2);q, i=?0"), ("*a/b:c", "*a/b:c"), ("", ""),
    ])
    func strictForms(_ input: String, _ expected: String) {
        #expect(StructuredReader.strict(bytes(input)).map { text($0) } == expected)
    }

    @Test(arguments: [
        "a,", ",a", "\"open", "(a", "a b", "1.2345", "1234567890123456", "?2", ":a!:", "a;=1", "A=1 b", "\u{e9}",
        "\"\u{7}\"",
        "1.", "-", "(a\"b\")", "@1.5",
    ])
    func noStructuredField(_ input: String) {
        #expect(StructuredReader.strict(bytes(input)) == nil)
    }

    @Test(arguments: [
        ("@method", "\"@method\""), ("\"@path\"", "\"@path\""), ("Content-Type", "\"content-type\""),
        ("x;sf", "\"x\";sf"), ("\"x\"; key=\"a;b\"", "\"x\";key=\"a;b\""),
        ("@query-param;name=\"a%20b\"", "\"@query-param\";name=\"a%20b\""),
    ])
    func identifiers(_ input: String, _ expected: String) throws {
        #expect(text(try MessageComponent(parsing: input).identifier) == expected)
    }

    @Test(arguments: [
        "", "@status", "@nothing", "@query-param", "@method;sf", "a b", "x;bs;sf", "x;req", "x;tr", "x;name=\"a\"",
        "x;",
        "x\"y",
    ])
    func noIdentifiers(_ input: String) {
        #expect(throws: MessageComponentError.self) { try MessageComponent(parsing: input) }
    }

    private func draft(_ host: String, query: String? = nil) -> RequestDraft {
        RequestDraft(
            method: bytes("GET"), path: bytes("/p"), query: query.map { bytes($0) }, fields: PairBlock(),
            content: .none,
            host: bytes(host), remote: [])
    }

    @Test func theDefaultPortIsNoPartOfTheAuthority() throws {
        let component = try MessageComponent(parsing: "@target-uri")
        let draft = draft("Example.com:443", query: "a")
        #expect(text(try component.value(draft)) == "http://example.com:443/p?a")
        draft.isSecure = true
        #expect(text(try component.value(draft)) == "https://example.com/p?a")
    }

    /// The base strings of RFC 5849, OAuth Core 1.0 and X's documentation are in the conformance tests; here what they lack.
    @Test func oauthParametersSortByEncodedNameAndValue() {
        let pairs = [("b5", "=%3D"), ("a3", "a"), ("c@", ""), ("a2", "r b"), ("c2", ""), ("a3", "2 q")].map {
            (name: bytes($0.0), value: bytes($0.1))
        }
        let base = OAuthBase.text(method: bytes("post"), uri: bytes("http://example.com/request"), pairs: pairs)
        #expect(
            text(base)
                == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D"
                + "%26c%2540%3D%26c2%3D")
    }
}
