import Bytes
import Testing

@testable import Domain

@Suite struct AddressFieldTests {
    private func changed(_ name: String, _ value: String) -> String? {
        let name = bytes(name)
        let other = AddressField(name.span)?.replacing(in: bytes(value)[...]) { address in
            address.starts(with: bytes("http://up")) ? Array(address.dropFirst(9)) : nil
        }
        return other.map { text($0) }
    }

    @Test func wholeValues() {
        #expect(changed("location", "http://up/a?b") == "/a?b")
        #expect(changed("Content-Location", "http://up/a") == "/a")
        #expect(changed("Location", "http://other/a") == nil)
        #expect(changed("X-Location", "http://up/a") == nil)
        #expect(changed("Lint", "<http://up/a>") == nil)
    }

    @Test(arguments: [
        ("<http://up/a>; rel=next", "</a>; rel=next"),
        (
            "<http://up/a>;rel=\"next\",<http://other/b>; rel=x ,\t<http://up/c,d>",
            "</a>;rel=\"next\",<http://other/b>; rel=x ,\t</c,d>"
        ),
        (
            "<http://up/a>; title=\"<http://up/b>, \\\" <http://up/c>\"; rel=x",
            "</a>; title=\"<http://up/b>, \\\" <http://up/c>\"; rel=x"
        ),
        ("<http://other/a>", nil), ("<http://up/a", nil), ("http://up/a", nil), ("", nil), ("<>", nil),
        ("\"<http://up/a>", nil),
        ("\"\\", nil), ("<http://up/a>\"", "</a>\""),
    ])
    func lists(_ value: String, _ expected: String?) {
        #expect(changed("LINK", value) == expected)
    }
}
