import Bytes
import JSONBytes
import Testing

@testable import DemoUpstream

@Suite struct ShopMachineTests {
    // MARK: Signature and clock

    @Test func loginFromAVector() throws {
        // The published sample: user 13800138006, a known password hash, a known signature.
        var shop = Shop()
        shop.machine.users[0] = ShopUser(
            id: 2591, name: bytes("13800138006"), passwordHash: bytes("519475228fe35ad067744465c42a19b2"))
        let body = bytes(
            "username=13800138006&password=519475228fe35ad067744465c42a19b2"
                + "&unique_id=891F1CCA-E4A7-4F35-BA03-688CD5314686&push_id=&time=1492495675"
                + "&sign=7ddacba0bdc710c54ba145f4b628cb98")
        for path in ["/index.php/Api/User/login", "/index.php/api/USER/Login.html"] {
            let answer = try Shop.Answer(shop.raw(path, body: body))
            #expect(answer.status == 1)
            #expect(answer.message == "登陆成功")
        }
        #expect(shop.machine.counters.logins == 2)
    }

    @Test func wrongSignature() throws {
        var shop = Shop()
        for body in ["a=1&time=1492495675&sign=00", "a=1&time=1492495675", "a=1&time=1492495675&sign[]=x", ""] {
            let answer = try Shop.Answer(shop.raw("/index.php", query: "m=Api&c=User&a=userInfo", body: bytes(body)))
            #expect(answer.status == -1)
            #expect(answer.message == "签名失败!!!")
            #expect(answer.text("/data") == "")
        }
        #expect(shop.machine.counters.signatureRefusals == 4)
        #expect(shop.machine.counters.tokenRefusals == 0)
    }

    /// The signed text of an array is the word `Array`, and the query is not signed.
    @Test func keyMatters() throws {
        var shop = Shop { $0.signKey = "another" }
        #expect(try shop.call("User", "userInfo").status == -100)
        var other = Shop()
        let body =
            bytes("time=1492495675&sign=")
            + ShopSignature.expected(PHPForm(bytes("time=1492495675").span), key: bytes("another"))
        #expect(try Shop.Answer(other.raw("/index.php/Api/User/userInfo", body: body)).message == "签名失败!!!")
    }

    @Test func bodiesThatPHPDoesNotRead() throws {
        var shop = Shop()
        let body =
            bytes("time=1492495675&sign=")
            + ShopSignature.expected(PHPForm(bytes("time=1492495675").span), key: bytes("tpshop2"))
        #expect(try Shop.Answer(shop.raw("/index.php/Api/User/userInfo", body: body)).status == -100)
        #expect(
            try Shop.Answer(shop.raw("/index.php/Api/User/userInfo", body: body, type: "application/json")).message
                == "签名失败!!!")
        #expect(
            try Shop.Answer(shop.raw("/index.php/Api/User/userInfo", body: body, isPost: false)).message == "签名失败!!!")
    }

    @Test(arguments: [
        (600 as Int64, -100 as Int64, ""), (601, -1, "请求超时!!!"), (-600, -100, ""), (-1_492_495_675_000, -100, ""),
    ])
    func clock(age: Int64, status: Int64, message: String) throws {
        var shop = Shop()
        let answer = try shop.call("User", "userInfo", time: shop.now - age)
        #expect(answer.status == status)
        if !message.isEmpty { #expect(answer.message == message) }
        #expect(shop.machine.counters.clockRefusals == (message.isEmpty ? 0 : 1))
    }

    @Test(arguments: ["", "abc", "-9223372036854775808", "99999999999999999999999"])
    func strangeTimes(time: String) throws {
        var shop = Shop()
        let unsigned = "time=\(time)"
        let sign = ShopSignature.expected(PHPForm(bytes(unsigned).span), key: bytes("tpshop2"))
        let answer = try Shop.Answer(shop.raw("/index.php/Api/User/userInfo", body: bytes(unsigned + "&sign=") + sign))
        #expect(answer.status == (time.hasPrefix("9") ? -100 : -1))
    }

    @Test(arguments: [
        "Goods/goodsList", "Goods/GOODSLIST", "Base/getServerTime", "User/getservertime", "Base/GETCONFIG",
        "Base/search",
    ])
    func exemptByActionName(call: String) throws {
        var shop = Shop()
        let answer = try Shop.Answer(shop.raw("/index.php/Api/" + call, body: [], isPost: false))
        #expect(answer.status == 1)
        #expect(answer.message == "获取成功")
        if call.lowercased().hasSuffix("time") { #expect(answer.result?.int64 == shop.now) }
    }

    // MARK: Tokens

    @Test func tokenLife() throws {
        var shop = Shop()
        let missing = try shop.call("User", "userInfo")
        #expect((missing.status, missing.message) == (-100, "必须传递token"))
        let wrong = try shop.call("User", "userInfo", [("token", "x")])
        #expect((wrong.status, wrong.message) == (-101, "token错误"))

        let first = try #require(try shop.login().text("/result/token"))
        #expect(try shop.call("User", "userInfo", [("token", first)]).status == 1)
        // The lifetime slides: 3600 s after each call is still fine, 3601 is not.
        for _ in 0..<3 {
            shop.now += 3600
            #expect(try shop.call("User", "userInfo", [("token", first)]).status == 1)
        }
        shop.now += 3601
        let late = try shop.call("User", "userInfo", [("token", first)])
        #expect((late.status, late.message) == (-102, "登录超时,请重新登录!!!"))
        #expect(late.result?.int64 == 3601)

        // One token per row: the second login kills the first one's token.
        let second = try #require(try shop.login().text("/result/token"))
        #expect(second != first)
        #expect(try shop.call("User", "userInfo", [("token", first)]).status == -101)
        #expect(try shop.call("User", "userInfo", [("token", second)]).status == 1)
        #expect(shop.machine.counters.tokenRefusals == 4)
    }

    @Test func idleLimitOff() throws {
        var shop = Shop()
        let token = try #require(try shop.login().text("/result/token"))
        shop.machine.idleSeconds = 0
        shop.now += 1_000_000
        #expect(try shop.call("User", "userInfo", [("token", token)]).status == 1)
    }

    /// Nobody without a token may match a row without a token.
    @Test func emptyTokenIsNoToken() throws {
        var shop = Shop()
        #expect(try shop.call("User", "userInfo", [("token", "")]).status == -100)
    }

    @Test(arguments: ["cart/cart3", "user/return_goods_status", "goods/collectGoods", "Payment/alipayNotify"])
    func listedActions(call: String) throws {
        var shop = Shop()
        let parts = call.split(separator: "/").map(String.init)
        #expect(try shop.call(parts[0], parts[1]).status == -100)
    }

    // MARK: Login

    @Test func loginFailures() throws {
        var shop = Shop()
        let unknown = try shop.login("nobody")
        #expect((unknown.status, unknown.message) == (-1, "账号不存在!"))
        let empty = try shop.call("User", "login")
        #expect((empty.status, empty.message) == (-1, "账号不存在!"))
        let wrong = try shop.login("13800138006", "guess")
        #expect((wrong.status, wrong.message) == (-2, "密码错误!"))
        shop.machine.users[0].isLocked = true
        let locked = try shop.login()
        #expect((locked.status, locked.message) == (-3, "账号异常已被锁定！！！"))
        #expect(shop.machine.counters.loginFailures == 4)
        #expect(shop.machine.counters.logins == 0)
    }

    // MARK: Payloads

    @Test func verbatimPayload() throws {
        var shop = Shop()
        let token = try #require(try shop.login().text("/result/token"))
        let orders = try shop.call("User", "getOrderList", [("token", token)])
        let raw = text(orders.raw)
        for piece in ["20170418123456789012,", ":10.10,", "\\u0041\\/\\u4e2d", "1E-2", "[ ]", ":-0.0,"] {
            #expect(raw.contains(piece))
        }
        #expect(text(orders.raw).contains("\"msg\":\"\\u83b7\\u53d6\\u6210\\u529f\""))
        #expect(try shop.call("User", "getGoodsCollect", [("token", token)]).status == 3)
    }

    @Test func plainTextWhenAsked() throws {
        var shop = Shop { $0.escapesUnicode = false }
        #expect(text(try shop.call("User", "userInfo").raw) == #"{"status":-100,"msg":"必须传递token","result":""}"#)
    }

    @Test func orders() throws {
        var shop = Shop()
        let token = try #require(try shop.login().text("/result/token"))
        for (reference, duplicates) in [("a/1", 0), ("b", 0), ("a/1", 1), ("", 1), ("", 1), ("a/1", 2)] {
            let answer = try shop.call("Cart", "cart3", [("token", token), ("order_ref", reference)])
            #expect(answer.text("/result/order_ref") == reference)
            #expect(shop.machine.counters.duplicateOrders == duplicates)
        }
        #expect(shop.machine.counters.orders == 6)
    }

    @Test func noticeBeforeTheJSON() throws {
        var shop = Shop()
        shop.machine.showsNotice = true
        let answer = try shop.raw("/index.php/Api/Goods/goodsList", body: [])
        #expect(text(answer.body).hasPrefix("<br />\n<b>Notice</b>:"))
        let document = try #require(JSONText.findDocument(answer.body))
        #expect(document.root.member("status")?.int64 == 1)
    }

    /// Public is not the same as exempt.
    @Test func signedButAnonymous() throws {
        var shop = Shop()
        let found = try shop.call("Goods", "goodsInfo", [("id", "141")])
        #expect(found.result?.member("goods_id")?.int64 == 141)
        #expect(try shop.call("Goods", "goodsInfo", [("id", "7")]).status == -1)
        let unsigned = try Shop.Answer(shop.raw("/index.php/Api/Goods/goodsInfo", body: bytes("id=141")))
        #expect(unsigned.message == "签名失败!!!")
    }

    @Test func unknownActionIsAPage() throws {
        var shop = Shop()
        let body =
            bytes("time=1492495675&sign=")
            + ShopSignature.expected(PHPForm(bytes("time=1492495675").span), key: bytes("tpshop2"))
        #expect(try shop.raw("/index.php/Api/User/fly", body: body).status == 404)
    }

    @Test(arguments: ["/", "/index.php", "/index.php/Api/User", "/index.php/Home/User/login", "/x/y/z/w"])
    func foreignPaths(path: String) {
        let request = ShopRequest(isPost: true, path: bytes(path)[...], query: [], contentType: [], body: [])
        #expect(request == nil)
    }

    @Test func multipart() throws {
        var shop = Shop()
        let fields = [("username", "x"), ("note", "two\r\nlines"), ("time", "1492495675")]
        let sign = ShopSignature.expected(PHPForm(Shop.form(fields).span), key: bytes("tpshop2"))
        var body = "--b0\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\nPNG\r\n"
        for (name, value) in fields + [("sign", text(sign))] {
            body += "--b0\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        body += "--b0--\r\n"
        let answer = try Shop.Answer(
            shop.raw("/index.php/Api/User/login", body: bytes(body), type: "multipart/form-data; boundary=b0"))
        #expect(answer.message == "账号不存在!")
    }
}
