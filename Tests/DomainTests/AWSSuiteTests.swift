import Bytes
import Expressions
import Foundation
import Testing

@testable import Domain

/// The 38 cases of the AWS signing test suite, each in the header and in the query. The requests and most signatures are the
/// suite's; an independent signer in Python, which agrees with all of those, computed the rest. The folded line is taken as
/// RFC 9112 5.2 says, as the suite's newest version has it.
struct AWSSuiteTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "GET"
        var target = "/"
        var headers: [(String, String)] = []
        var normalizes = true
        var token: String?
        var omitsToken = false
        var body: String?
        var inHeader: String
        var inQuery: String
        var testDescription: String { name }
    }

    private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let short = "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267"
    private static let long =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwt"
        + "hAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQc"
        + "HNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR"
        + "/oLxBA=="

    static let cases: [Case] = [
        Case(
            name: "get-vanilla",
            inHeader: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            inQuery: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
        Case(
            name: "get-vanilla-query",
            inHeader: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            inQuery: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
        Case(
            name: "get-vanilla-empty-query-key", target: "/?Param1=value1",
            inHeader: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
            inQuery: "49096700cbbaa5753443850f40df10f904fc2fdb544dc9512203cc77c471a9de"),
        Case(
            name: "get-vanilla-query-order-key-case", target: "/?Param2=value2&Param1=value1",
            inHeader: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
            inQuery: "86012e2c9ad4d77369f5d81c11f75158aae4f895a085212cc6d3f923d300bed5"),
        Case(
            name: "get-vanilla-query-order-encoded", target: "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
            inHeader: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac",
            inQuery: "c5f1848ceec943ac2ca68ee720460c23aaae30a2300586597ada94c4a65e4787"),
        Case(
            name: "get-vanilla-query-unreserved", target: "/?\(unreserved)=\(unreserved)",
            inHeader: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
            inQuery: "8e76a88a7433637b12778d5592799b29ad21ecd6cf6325051c21d86f0acda2bf"),
        Case(
            name: "get-vanilla-utf8-query", target: "/?ሴ=bar",
            inHeader: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
            inQuery: "0bdd809b1519ac4f0c1dc3540e2cc46bd0c7f778eda408b2ebf3b913d21ff600"),
        Case(
            name: "get-vanilla-with-session-token", token: short,
            inHeader: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8",
            inQuery: "7ff2b50b376cb4d151970630573d6291dc128cc5c2a12ffb237f73cc53f67b6c"),
        Case(
            name: "get-unreserved", target: "/\(unreserved)",
            inHeader: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
            inQuery: "95968482db1b9e0fadef6efc1bd24689f77c77d9ef56919c96a28cc92e0d6005"),
        Case(
            name: "get-utf8", target: "/ሴ",
            inHeader: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
            inQuery: "10eae3f14a260bd3911cc6d008d3c576d143b05b62f09782a7a4b37f52178e44"),
        Case(
            name: "get-space-normalized", target: "/example space/",
            inHeader: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741",
            inQuery: "7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6"),
        Case(
            name: "get-space-unnormalized", target: "/example space/", normalizes: false,
            inHeader: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741",
            inQuery: "7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6"),
        Case(
            name: "get-header-key-duplicate",
            headers: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
            inHeader: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
            inQuery: "3349ee0b81b4b589da0ff28a395c3591e04de515651dd74f298fa992d1507a97"),
        Case(
            name: "get-header-value-multiline", headers: [("My-Header1", "value1\n  value2\n     value3")],
            inHeader: "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd",
            inQuery: "e6f5def831211aca02987a44b96826706278c7bc078112ae0263659c5b2f2d56"),
        Case(
            name: "get-header-value-order",
            headers: [
                ("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"), ("My-Header1", "value2"),
            ],
            inHeader: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01",
            inQuery: "313720e71ca6202fdcfa9b20f88de01a4eb0638a83c833b1c184359a4eda864e"),
        Case(
            name: "get-header-value-trim", headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
            inHeader: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
            inQuery: "e7bb0fd515e125e1aec2ecc4c0c17484fb06f6846b927c35e46005dd3df3acd4"),
        Case(
            name: "get-relative-normalized", target: "/example/..",
            inHeader: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            inQuery: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
        Case(
            name: "get-relative-unnormalized", target: "/example/..", normalizes: false,
            inHeader: "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282",
            inQuery: "cbcb213b928a077e43275df47b500f1dfaa864ab3f5a18f6b95f4ff0938167ee"),
        Case(
            name: "get-relative-relative-normalized", target: "/example1/example2/../..",
            inHeader: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            inQuery: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
        Case(
            name: "get-relative-relative-unnormalized", target: "/example1/example2/../..", normalizes: false,
            inHeader: "dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b",
            inQuery: "b45db0bfd1cf15003493b733e33aa208dd981bd0e63037a6ed953f71d2118a16"),
        Case(
            name: "get-slash-normalized", target: "//",
            inHeader: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            inQuery: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
        Case(
            name: "get-slash-unnormalized", target: "//", normalizes: false,
            inHeader: "c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e",
            inQuery: "b2a9542809db687769200f56a844a03f2bd0291d6eb90232d5101c6a579446cd"),
        Case(
            name: "get-slash-dot-slash-normalized", target: "/./",
            inHeader: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            inQuery: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"),
        Case(
            name: "get-slash-dot-slash-unnormalized", target: "/./", normalizes: false,
            inHeader: "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145",
            inQuery: "a9b13e8f3484d9505bf1a6f347219f8f35b0fe8f128ceea597efc146a3dfe90c"),
        Case(
            name: "get-slash-pointless-dot-normalized", target: "/./example",
            inHeader: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5",
            inQuery: "35034b1a0bdd969f346975386daf8aedfd4976573b8348cf4f67eaa41c5857de"),
        Case(
            name: "get-slash-pointless-dot-unnormalized", target: "/./example", normalizes: false,
            inHeader: "beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff",
            inQuery: "72b11f16d9530b18204bfb71f2d6ab085894c0ed8d352730a6e76234c58b5e10"),
        Case(
            name: "get-slashes-normalized", target: "//example//",
            inHeader: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84",
            inQuery: "c1834e8fb0307243711f0f907f6ab7311ed300d87f13792d7ee4da89ab93e082"),
        Case(
            name: "get-slashes-unnormalized", target: "//example//", normalizes: false,
            inHeader: "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5",
            inQuery: "822a5a9ba28072c5ab2bb4a6307d0c88276d40e49fec6b724c03fb4d4ba60fc2"),
        Case(
            name: "double-encode-path", target: "/example%3A/",
            inHeader: "628ed7d034cbb2ed1d77037f742437eb7ae30ffabab33cb1d7f107065de74bb0",
            inQuery: "b488645ac418c07a16b68a68f84fea8d672b67bf31ec5a97f7b61e8e2a721309"),
        Case(
            name: "post-header-key-case", method: "POST",
            inHeader: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            inQuery: "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"),
        Case(
            name: "post-header-key-sort", method: "POST", headers: [("My-Header1", "value1")],
            inHeader: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
            inQuery: "c09d07e0d55871f10f2a6d350d994acf6825a3cae70673d7def55616e6119dd7"),
        Case(
            name: "post-header-value-case", method: "POST", headers: [("My-Header1", "VALUE1")],
            inHeader: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
            inQuery: "0698bc9e4f7f9139065ba2909c0e99da257e8e2a42492a097bcd46d792391fed"),
        Case(
            name: "post-sts-header-before", method: "POST", token: long,
            inHeader: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
            inQuery: "46c2e3c63c1dbe7d39f8ada16fe7f001c1f56c5791441565323677f96308871c"),
        Case(
            name: "post-sts-header-after", method: "POST", token: long, omitsToken: true,
            inHeader: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            inQuery: "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"),
        Case(
            name: "post-vanilla", method: "POST",
            inHeader: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            inQuery: "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"),
        Case(
            name: "post-vanilla-query", method: "POST", target: "/?Param1=value1",
            inHeader: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
            inQuery: "a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682"),
        Case(
            name: "post-x-www-form-urlencoded", method: "POST",
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Content-Length", "13")],
            body: "Param1=value1",
            inHeader: "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b",
            inQuery: "c2348f57d08c84939944d6c878b3f7be56316f8e7fd6817e81eded279a362d69"),
        Case(
            name: "post-x-www-form-urlencoded-parameters", method: "POST",
            headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"), ("Content-Length", "13")],
            body: "Param1=value1",
            inHeader: "328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422",
            inQuery: "1b8d9ac4ab8553a224622753bae7714608a7c61f8994dbd385150e6da12114df"),
    ]

    @Test(arguments: cases) func signatures(_ one: Case) throws {
        #expect(try signature(one, .header) == one.inHeader)
        #expect(try signature(one, .query) == one.inQuery)
    }

    private func signature(_ one: Case, _ mode: AWSSigner.Mode) throws -> String {
        let parts = one.target.split(separator: "?", maxSplits: 1).map(String.init)
        let draft = RequestDraft(
            method: bytes(one.method), path: bytes(parts[0]), query: parts.count > 1 ? bytes(parts[1]) : nil,
            fields: fields(one.headers), content: one.body.map { .held(bytes($0)) } ?? .none,
            host: bytes("example.amazonaws.com"), remote: [])
        let scope = Scope(names: [])
        func template(_ text: String) throws -> Template { try Template(parsing: text, in: scope) }
        var signer = AWSSigner(
            accessKey: try template("AKIDEXAMPLE"), secretKey: try template("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            region: try template("us-east-1"), service: try template("service"))
        signer.mode = mode
        signer.normalizes = one.normalizes
        signer.expires = 3600
        signer.sessionToken = try one.token.map { try template($0) }
        signer.omitsSessionToken = one.omitsToken
        if one.body != nil {
            signer.signsBodyHash = true
            // The suite signs what our transport writes itself.
            signer.signedHeaders = ["content-type", "content-length", "x-amz-content-sha256", "x-amz-date"].map {
                bytes($0)
            }
        }
        let exchange = ExchangeScope(
            request: draft, now: (1_440_938_160, 0), surroundings: Surroundings(secrets: [], device: []))
        try signer.sign(draft, exchange, recipe: "aws")
        let place = mode == .header ? draft.fields.first("authorization", folding: true).map { Array($0) } : draft.query
        let value = text(try #require(place))
        let start = try #require(value.range(of: "Signature=", options: .backwards))
        return String(value[start.upperBound...].prefix(64))
    }
}
