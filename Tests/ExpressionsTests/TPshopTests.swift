import Bytes
import Testing

@testable import Expressions

/// The signature of TPshop against PHP 8.2's own `$_POST`, `ksort`, `implode` and `md5`, and against the recipe
/// recomputed.
struct TPshopTests {
    static let recipe = #"""
        hex.encode(hash.md5(request.form.filter(f, !(f.name in ["time", "sign"])).sortBy(f, f.name).map(f, f.value).join("")
        + vars.time + secret.sign_key))
        """#
    static let phpRecipe = #"""
        hex.encode(hash.md5(php.sort(request.form).filter(f, !(f.name in ["time", "sign"])).map(f, f.value).join("")
        + vars.time + secret.sign_key))
        """#

    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var form: String
        var time: Int64
        var expected: String
        /// Names need PHP's treatment.
        var needsPHP = false
        var testDescription: String { name }
    }

    static let vectors = [
        Vector(
            name: "device only", form: "unique_id=891F1CCA-E4A7-4F35-BA03-688CD5314686", time: 1_492_495_675,
            expected: "ab19ab54cedcc305a94f62e4fa95e52a"),
        Vector(
            name: "logged in",
            form: "user_id=2591&token=4a5b7c0d1e2f30415263748596a7b8c9&unique_id=891F1CCA-E4A7-4F35-BA03-688CD5314686"
                + "&goods_id=140&goods_num=1", time: 1_492_495_675, expected: "cea66476ebc964d8db1377ebe356d144"),
        Vector(
            name: "login",
            form: "username=13800138006&password=519475228fe35ad067744465c42a19b2"
                + "&unique_id=891F1CCA-E4A7-4F35-BA03-688CD5314686&push_id=", time: 1_492_495_675,
            expected: "7ddacba0bdc710c54ba145f4b628cb98"),
        Vector(
            name: "byte order", form: "b=2&B=1&a=3&_x=4&aa=5&a1=6&a-b=7&time=1", time: 1,
            expected: "fe02c8d7731670a3da4a6250800f6f15"),
        Vector(
            name: "decoded values", form: "q=a+b%2Bc%26d%3De&n=%E4%B8%AD%E6%96%87&time=1", time: 1,
            expected: "482810d114b304427cb67157eb8f48a3"),
        Vector(
            name: "empty values", form: "a=&b=2&c&sign=old", time: 1, expected: "1c37f20b966642df458d00edceb54df6"),
        Vector(
            name: "last wins", form: "a=1&a=2&time=1", time: 1, expected: "1c37f20b966642df458d00edceb54df6",
            needsPHP: true),
        Vector(
            name: "numeric names", form: "10=ten&9=nine&a=x&2=two&02=zz&time=1", time: 1,
            expected: "c77b4f62d713b164e284d9d66b253fe0", needsPHP: true),
        Vector(
            name: "mangled names", form: "a.b=1&a%20c=2&d=3&time=1", time: 1,
            expected: "f8b3554c5b815ba041ab6429988e0e53", needsPHP: true),
        Vector(
            name: "arrays", form: "g[]=1&g[]=2&k[x]=9&z=1&time=1", time: 1,
            expected: "612954cecc201d89a31c7b2cd52457ce", needsPHP: true),
    ]

    @Test(arguments: vectors)
    func signature(vector: Vector) {
        let host = TestHost(form: vector.form, time: vector.time)
        #expect(TestHost.outcome(TPshopTests.phpRecipe, host) == "\"\(vector.expected)\"")
        let plain = TestHost.outcome(TPshopTests.recipe, host)
        #expect((plain == "\"\(vector.expected)\"") != vector.needsPHP)
    }

    /// A JSON body leaves `$_POST` empty: only the key is signed.
    @Test func emptyPost() {
        #expect(
            TestHost.outcome("hex.encode(hash.md5(request.form.map(f, f.value).join('') + secret.sign_key))")
                == "\"32453481ba8e6e426e60c767820381c3\"")
    }

    @Test func namesAsPHPReadsThem() {
        #expect(
            TestHost.outcome(
                "php.pairs(request.form).map(f, f.name + f.value).join()",
                TestHost(form: "a[b.c=1& x=2&[y=3&=4&p%00q=5&a_b_c=6"))
                == "\"a_b_c6x2p5\"")
    }

    /// Steps stand for work: they must grow with the number of fields, not with its square.
    @Test func costGrowsWithTheNumberOfFieldsOnly() throws {
        let expression = try Expression(parsing: TPshopTests.recipe, in: TestHost.scope)
        let form = (0..<200).map { "field\($0)=\($0)" }.joined(separator: "&")
        var steps: [Int] = []
        for count in [100, 200] {
            let part = form.split(separator: "&").prefix(count).joined(separator: "&")
            var evaluator = Evaluator(TestHost(form: part), slots: expression.slotCount, steps: 100_000)
            _ = try evaluator.value(of: expression.node)
            steps.append(100_000 - evaluator.meter.steps)
        }
        // Sorting compares a little more often for each.
        #expect(steps[1] < steps[0] * 9 / 4 + 50)
        #expect(steps[0] < 100 * 25)
    }
}
