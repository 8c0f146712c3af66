import Testing

@testable import Domain

/// A name of the gateway's is found however a lenient server would read it, and others are left alone.
struct OwnedNamesTests {
    private static func owns(_ owned: String, _ name: String) -> Bool {
        let text = bytes(name)
        return OwnedNames([bytes("other"), bytes(owned)]).contains(text.span)
    }

    @Test(arguments: [
        ("token", "token"), ("token", "TOKEN"), ("Token", "token"), ("token", " token"), ("token", "token\t "),
        ("token", "\r\ntoken"), ("token", "token\0x"), ("token", " token\0"), ("token", "token[]"),
        ("token", "token[x]"),
        ("token", "token[x][y]"), ("token", "token["), ("token", "[token]"), ("token", "[[token"), ("token", "token]"),
        ("token", " Token [x]"), ("to_ken", "to.ken"), ("to_ken", "to ken"), ("to_ken", "to[ken"),
        ("to_ken", "TO.KEN[1]"),
        ("to.ken", "to_ken"), ("to.ken", "to.ken"), ("user[token]", "user[token]"), ("user[token]", "user[token][]"),
        ("user[token]", "user.token"), ("user.token", "user[token]"), ("user[token]", "User[ token ]"),
        ("sign", "\u{17F}ign"), ("token", "to\u{212A}en"), ("[token]", "token"), ("access_token", "acce\u{17F}s_token"),
        ("中", "中"),
    ])
    func folded(owned: String, name: String) { #expect(Self.owns(owned, name)) }

    @Test func longNamesAreLookedAtOnce() {
        let deep = String(repeating: "[b]", count: 200_000)
        let blanks = String(repeating: " ", count: 200_000)
        let start = ContinuousClock.now
        #expect(Self.owns("token", "token" + deep) && Self.owns("token", blanks + "token" + blanks))
        #expect(Self.owns("token", String(repeating: "[", count: 200_000) + "token" + String(repeating: "]", count: 9)))
        #expect(!Self.owns("token", "a" + deep) && !Self.owns("a[b]", deep) && !Self.owns("a.b", "a.b" + blanks + ".b"))
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test(arguments: [
        ("token", "token2"), ("token", "xtoken"), ("token", "to_ken"), ("token", "to.ken"), ("token", "token.x"),
        ("token", "token_x"), ("token", "x[token]"), ("user[token]", "user[name]"), ("user[token]", "user"),
        ("user[token]", "token"), ("token", ""), ("token", "[]"), ("token", "\0token"), ("token", "tok en"),
        ("sign", "\u{17E}ign"), ("中", "国"), ("token", "to%6Ben"),
    ])
    func others(owned: String, name: String) { #expect(!Self.owns(owned, name)) }

    @Test(arguments: [
        ("a=1&token=x&b=2", "a=1&b=2"), ("token=x", ""), ("a=1;token=x;b=2", "a=1;b=2"), ("token=x;b=2&c=3", "b=2&c=3"),
        ("a=1&+token=x", "a=1"), ("a=1&to%6ben%5B%5D=x&b", "a=1&b"), ("a=1&%20token%00z=x", "a=1"),
        ("a=1&&token=x&&b=2", "a=1&&&b=2"), ("TOKEN", ""), ("a=1;b=2&token=x&c=1;d", "a=1;b=2&c=1;d"),
        ("token=1&a=1;token=2", "a=1"), ("a=%3Btoken=1&token=2", "a=%3Btoken=1"),
    ])
    func piecesGo(query: String, left: String) {
        #expect(PairText.dropping(OwnedNames([bytes("token")]), from: bytes(query).span) == bytes(left))
    }

    @Test(arguments: ["a=token", "a=1;b=2", "", "&;&", "a=1&b=;", "tokens=1"])
    func nothingToDrop(query: String) {
        #expect(PairText.dropping(OwnedNames([bytes("token")]), from: bytes(query).span) == nil)
    }
}
