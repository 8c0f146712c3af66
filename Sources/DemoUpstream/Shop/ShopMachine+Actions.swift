import Bytes
import Cryptography

extension ShopMachine {
    /// Runs an action whose checks have passed. An unknown one is ThinkPHP's error page.
    mutating func act(_ request: ShopRequest, user: Int?, now: Int64) -> ShopAnswer {
        switch (String(decoding: request.controller, as: UTF8.self), String(decoding: request.action, as: UTF8.self)) {
        case ("user", "login"): return login(request, now: now)
        case (_, "getservertime"): return serverTime(now)
        case (_, "getconfig"): return configuration()
        case (_, "goodslist"), (_, "search"): return goodsList()
        case ("goods", "goodsinfo"): return goodsInfo(request)
        case ("user", "userinfo"): return user.map(userInfo) ?? missing()
        case ("user", "getorderlist"): return orderList()
        case ("user", "getgoodscollect"): return goodsCollect()
        case ("cart", "cart3"): return placeOrder(request, now: now)
        default: return missing()
        }
    }

    private func missing() -> ShopAnswer {
        ShopAnswer(status: 404, body: Array("<html><body><h1>404 Not Found</h1></body></html>".utf8))
    }

    private func json() -> ShopJSON { ShopJSON(escapesUnicode: options.escapesUnicode) }

    // MARK: Accounts

    /// An empty name or password falls through to "no such account": the branch for it is overwritten in the real shop.
    private mutating func login(_ request: ShopRequest, now: Int64) -> ShopAnswer {
        let name = request.input("username")
        guard let index = users.firstIndex(where: { $0.name == name }) else { return loginFailed(-1, "账号不存在!") }
        let user = users[index]
        guard ConstantTime.equal(user.passwordHash.span, request.input("password").span) else {
            return loginFailed(-2, "密码错误!")
        }
        guard !user.isLocked else { return loginFailed(-3, "账号异常已被锁定！！！") }
        counters.logins += 1
        renewToken(ofUserAt: index, now: now)
        var json = json()
        json.begin(status: 1, message: "登陆成功")
        writeRow(users[index], to: &json)
        return json.end()
    }

    private mutating func loginFailed(_ status: Int, _ message: StaticString) -> ShopAnswer {
        counters.loginFailures += 1
        return plain(status, message)
    }

    private func userInfo(_ index: Int) -> ShopAnswer {
        var json = json()
        json.begin(status: 1, message: "获取成功")
        writeRow(users[index], to: &json)
        return json.end()
    }

    /// The whole row, as the real shop sends it: with the token and the password hash.
    private func writeRow(_ user: ShopUser, to json: inout ShopJSON) {
        json.beginObject()
        json.member("user_id", Array(String(user.id).utf8))
        json.member("email", "")
        json.member("password", user.passwordHash)
        json.member("sex", "0")
        json.member("user_money", "1280.50")
        json.member("pay_points", "10.10")
        json.member("last_login", Array(String(user.lastLogin).utf8))
        json.member("mobile", user.name)
        json.member("head_pic", "/Public/images/head.png")
        json.member("nickname", "演示用户")
        json.member("level_name", "注册会员")
        json.member("token", user.token ?? [])
        json.endObject()
    }

    private func serverTime(_ now: Int64) -> ShopAnswer {
        var json = json()
        json.begin(status: 1, message: "获取成功")
        json.int(now)
        return json.end()
    }

    // MARK: Goods and orders

    private func goodsList() -> ShopAnswer {
        var json = json()
        json.begin(status: 1, message: "获取成功")
        json.beginObject()
        json.key("goods_list")
        json.beginArray()
        for (id, name, price) in Self.goods {
            json.beginObject()
            json.member("goods_id", id)
            json.member("goods_name", name)
            json.member("shop_price", price)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.end()
    }

    /// Public, but signed. Without an id the first one.
    private func goodsInfo(_ request: ShopRequest) -> ShopAnswer {
        let wanted = PHPNumber.leadingInteger(request.input("id"))
        guard let goods = wanted == 0 ? Self.goods.first : Self.goods.first(where: { Int64($0.0) == wanted }) else {
            return plain(-1, "商品不存在")
        }
        var json = json()
        json.begin(status: 1, message: "获取成功")
        json.beginObject()
        json.member("goods_id", goods.0)
        json.member("goods_name", goods.1)
        json.member("shop_price", goods.2)
        json.endObject()
        return json.end()
    }

    private func configuration() -> ShopAnswer {
        var json = json()
        json.begin(status: 1, message: "获取成功")
        json.beginObject()
        json.member("store_name", "演示商城")
        json.member("hot_keywords", "手机|绿茶")
        json.endObject()
        return json.end()
    }

    private static let goods: [(Int, StaticString, StaticString)] = [
        (140, "七彩虹 iGame 显卡", "1999.00"), (141, "棉质 T 恤 \"经典\" <白>", "10.10"), (142, "绿茶 250g/盒", "88.80"),
    ]

    private func orderList() -> ShopAnswer {
        var json = json()
        json.begin(status: 1, message: "获取成功")
        json.raw(Self.orders)
        return json.end()
    }

    /// Values that do not survive a parser with doubles and a writer with opinions: digits beyond 2^64, a trailing zero,
    /// an exponent, names out of order, escapes that need none, blanks.
    private static let orders: StaticString = """
        [{"order_sn":20170418123456789012,"total_amount":10.10,"zeta":1,"alpha":"\\u0041\\/\\u4e2d", "rate":1E-2,\
        "goods":[ ],"note":"tab\\there \\ud83d\\ude00","negative":-0,"user_note":null},{"order_sn":20170418123456789013,\
        "total_amount":99.00,"zeta":2,"alpha":"","rate":0.10,"goods":[{"goods_id":"140","goods_num":"1"}],\
        "note":"<b>&amp;<\\/b>","negative":-0.0,"user_note":""}]
        """

    /// Success is 3 here: clients test `status > 0`.
    private func goodsCollect() -> ShopAnswer {
        var json = json()
        json.begin(status: 3, message: "获取成功")
        json.beginArray()
        json.beginObject()
        json.member("collect_id", "17")
        json.member("goods_id", "140")
        json.member("goods_name", "七彩虹 iGame 显卡")
        json.endObject()
        json.endArray()
        return json.end()
    }

    /// Places an order. `order_ref` is the demo's own field: the client's mark, so that an order that was sent twice shows.
    private mutating func placeOrder(_ request: ShopRequest, now: Int64) -> ShopAnswer {
        counters.orders += 1
        let reference = request.input("order_ref")
        if !reference.isEmpty {
            if orderReferences.contains(reference) {
                counters.duplicateOrders += 1
            } else if orderReferences.count < Self.rememberedOrders, reference.count <= 256 {
                orderReferences.insert(reference)
            }
        }
        var json = json()
        json.begin(status: 1, message: "提交订单成功")
        json.beginObject()
        json.member("order_sn", Array("\(now)\(10_000 + counters.orders)".utf8))
        json.member("order_ref", reference)
        json.member("order_count", counters.orders)
        json.endObject()
        return json.end()
    }
}
