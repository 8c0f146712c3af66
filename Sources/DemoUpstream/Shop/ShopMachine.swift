import Bytes
import Cryptography

/// The shop's rules: a parsed request and the time in, an answer out. No socket, no clock.
struct ShopMachine {
    /// Order references remembered to count duplicates; beyond that new ones are no longer remembered.
    static let rememberedOrders = 1_000_000

    let options: DemoOptions
    private let key: [UInt8]
    private let exempt: Set<[UInt8]>
    private let makeToken: () -> [UInt8]
    var users: [ShopUser]
    var counters = ShopCounters()
    /// Seconds; 0 = no limit.
    var idleSeconds: Int64
    /// PHP's notice before the JSON.
    var showsNotice = false
    var orderReferences: Set<[UInt8]> = []

    init(options: DemoOptions, makeToken: @escaping () -> [UInt8] = { SecureRandom.hex(16) }) {
        self.options = options
        self.makeToken = makeToken
        key = Array(options.signKey.utf8)
        exempt = Set(options.exemptActions.map { Array($0.lowercased().utf8) })
        idleSeconds = options.idleSeconds
        users = options.users.enumerated().map { index, user in
            let peppered = Array((options.passwordPepper + user.password).utf8)
            let digest = Digest.hash(.md5, peppered.span)
            return ShopUser(
                id: 2591 + Int64(index), name: Array(user.name.utf8), passwordHash: Hex.encode(digest.span))
        }
    }

    /// Answers one call. The signature and the clock come first, then the token, then the action: the parent class's
    /// constructor checks before the child's.
    mutating func answer(_ request: ShopRequest, now: Int64) -> ShopAnswer {
        counters.requests += 1
        var answer = checked(request, now: now)
        if showsNotice, answer.status == 200 { answer.body = Self.notice.bytes + answer.body }
        return answer
    }

    private mutating func checked(_ request: ShopRequest, now: Int64) -> ShopAnswer {
        if !exempt.contains(request.action) {
            switch ShopSignature.check(request.form, key: key, now: now, window: options.clockWindow) {
            case .good: break
            case .wrong:
                counters.signatureRefusals += 1
                return plain(-1, "签名失败!!!", payload: "data")
            case .late:
                counters.clockRefusals += 1
                return plain(-1, "请求超时!!!", payload: "data")
            }
        }
        var user: Int?
        if ShopTokenList.needsToken(controller: request.controller, action: request.action) {
            switch checkToken(request.input("token"), now: now) {
            case .user(let index): user = index
            case .refused(let answer):
                counters.tokenRefusals += 1
                return answer
            }
        }
        return act(request, user: user, now: now)
    }

    private enum TokenCheck {
        case user(Int)
        case refused(ShopAnswer)
    }

    /// The lifetime slides: a good call starts the idle time anew.
    private mutating func checkToken(_ token: [UInt8], now: Int64) -> TokenCheck {
        guard !token.isEmpty else { return .refused(plain(-100, "必须传递token")) }
        guard let index = users.firstIndex(where: { $0.token == token }) else {
            return .refused(plain(-101, "token错误"))
        }
        let idle = now - users[index].lastLogin
        if idleSeconds > 0, idle > idleSeconds {
            var json = ShopJSON(escapesUnicode: options.escapesUnicode)
            json.begin(status: -102, message: "登录超时,请重新登录!!!")
            json.int(idle)
            return .refused(json.end())
        }
        users[index].lastLogin = now
        return .user(index)
    }

    /// An answer without a payload: PHP's empty string stands there.
    func plain(_ status: Int, _ message: StaticString, payload: StaticString = "result") -> ShopAnswer {
        var json = ShopJSON(escapesUnicode: options.escapesUnicode)
        json.begin(status: status, message: message, payload: payload)
        json.string("")
        return json.end()
    }

    /// Gives a user a new token; the old one dies.
    mutating func renewToken(ofUserAt index: Int, now: Int64) {
        users[index].token = makeToken()
        users[index].lastLogin = now
    }

    private static let notice: StaticString = """
        <br />
        <b>Notice</b>:  Undefined index: unique_id in \
        <b>/var/www/shop/Application/Api/Controller/BaseController.class.php</b> on line <b>42</b><br />

        """
}
