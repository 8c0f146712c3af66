import Bytes
import Cryptography
import Testing

@testable import DemoUpstream

@Suite struct SignatureTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let body: String
        let signed: String
        let md5: String
        var testDescription: String { body }
        init(_ body: String, _ signed: String, _ md5: String) {
            (self.body, self.signed, self.md5) = (body, signed, md5)
        }
    }

    /// Bodies fed to PHP 8.2's own `$_POST`, `ksort`, `implode` and `md5`, key `tpshop2`.
    static let vectors = [
        Vector(
            "unique_id=891F1CCA-E4A7-4F35-BA03-688CD5314686&time=1492495675",
            "891F1CCA-E4A7-4F35-BA03-688CD53146861492495675tpshop2", "ab19ab54cedcc305a94f62e4fa95e52a"),
        Vector(
            "user_id=2591&token=4a5b7c0d1e2f30415263748596a7b8c9&unique_id=891F1CCA-E4A7-4F35-BA03-688CD5314686"
                + "&goods_id=140&goods_num=1&time=1492495675",
            "14014a5b7c0d1e2f30415263748596a7b8c9891F1CCA-E4A7-4F35-BA03-688CD531468625911492495675tpshop2",
            "cea66476ebc964d8db1377ebe356d144"),
        Vector(
            "username=13800138006&password=519475228fe35ad067744465c42a19b2"
                + "&unique_id=891F1CCA-E4A7-4F35-BA03-688CD5314686&push_id=&time=1492495675",
            "519475228fe35ad067744465c42a19b2891F1CCA-E4A7-4F35-BA03-688CD5314686138001380061492495675tpshop2",
            "7ddacba0bdc710c54ba145f4b628cb98"),
        Vector("b=2&B=1&a=3&_x=4&aa=5&a1=6&a-b=7&time=1", "14376521tpshop2", "fe02c8d7731670a3da4a6250800f6f15"),
        Vector(
            "q=a+b%2Bc%26d%3De&n=%E4%B8%AD%E6%96%87&time=1", "中文a b+c&d=e1tpshop2",
            "482810d114b304427cb67157eb8f48a3"),
        Vector("a=&b=2&c&time=1", "21tpshop2", "1c37f20b966642df458d00edceb54df6"),
        Vector("a=1&a=2&time=1", "21tpshop2", "1c37f20b966642df458d00edceb54df6"),
        Vector("10=ten&9=nine&a=x&2=two&02=zz&time=1", "twozzninetenx1tpshop2", "c77b4f62d713b164e284d9d66b253fe0"),
        Vector("a.b=1&a%20c=2&d=3&time=1", "1231tpshop2", "f8b3554c5b815ba041ab6429988e0e53"),
        Vector("g[]=1&g[]=2&k[x]=9&z=1&time=1", "ArrayArray11tpshop2", "612954cecc201d89a31c7b2cd52457ce"),
        Vector("", "tpshop2", "32453481ba8e6e426e60c767820381c3"),
    ]

    @Test(arguments: vectors)
    func known(vector: Vector) {
        let form = PHPForm(bytes(vector.body).span)
        let key = bytes("tpshop2")
        #expect(text(ShopSignature.signedText(form, key: key)) == vector.signed)
        #expect(text(ShopSignature.expected(form, key: key)) == vector.md5)
    }

    @Test(arguments: [
        ("a.b c", "a_b_c", false), ("  x", "x", false), ("a[b.c", "a_b.c", false), ("a[]", "a", true),
        ("a.b[c.d]", "a_b", true), ("a\u{0}b", "a", false), ("a]", "a]", false),
    ])
    func names(raw: String, name: String, isArray: Bool) throws {
        let registered = try #require(PHPName.register(bytes(raw)))
        #expect(text(registered.name) == name)
        #expect(registered.isArray == isArray)
    }

    @Test(arguments: ["", "  ", "[x]", "[", "\u{0}a"])
    func droppedNames(raw: String) { #expect(PHPName.register(bytes(raw)) == nil) }

    /// `a[]` replaces a text, a text replaces the array.
    @Test func lastKindWins() {
        #expect(PHPForm(bytes("a=1&a[]=2").span)["a"] == .array)
        #expect(PHPForm(bytes("a[]=2&a=1").span)["a"] == .text([0x31]))
    }

    @Test(arguments: [
        ("7", PHPNumber.integer(7)), ("-12", .integer(-12)), ("007", .integer(7)), (" 5", .integer(5)),
        ("5\t", .integer(5)), ("1e3", .real(1000)), ("1.5", .real(1.5)), (".5", .real(0.5)), ("5.", .real(5)),
        ("99999999999999999999", .real(1e20)),
    ])
    func numbers(raw: String, expected: PHPNumber) { #expect(PHPNumber(bytes(raw)) == expected) }

    @Test(arguments: ["", "-", "a1", "1a", "0x1A", "inf", "nan", "1e", "1e+", ".", "1 2", "--1"])
    func noNumbers(raw: String) { #expect(PHPNumber(bytes(raw)) == nil) }

    @Test func namesBeyondTheLimitAreDropped() {
        let many = (0..<1500).map { "n\($0)=1" }.joined(separator: "&")
        #expect(PHPForm(bytes(many).span).fields.count == PHPForm.limit)
    }
}
