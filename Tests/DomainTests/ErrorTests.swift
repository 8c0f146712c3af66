import HTTPWire
import Testing

@testable import Domain

@Suite struct ErrorTests {
    @Test(arguments: [
        ("offline", 503), ("dns", 502), ("refused", 502), ("connection_lost", 502), ("tls", 502), ("timeout", 504),
        ("bad_answer", 502), ("upstream_error", 502), ("login_required", 401), ("login_refused", 401),
        ("login_unavailable", 503), ("session_pending", 503), ("session_taken", 401), ("overloaded", 503),
        ("bad_request", 400), ("too_large", 413), ("not_found", 404), ("forbidden", 403), ("internal", 500),
    ])
    func eachKindHasItsStatus(_ word: String, _ status: Int) throws {
        let kind = try #require(GatewayError.Kind(rawValue: word))
        #expect(ErrorResponse(GatewayError(kind, detail: "")).status == status)
    }

    @Test func theTableIsComplete() {
        let rows = ErrorCatalogue.rows
        #expect(rows.count == 19)
        #expect(Set(rows.map(\.kind)).count == 19)
        for row in rows {
            #expect(!row.english.isEmpty && !row.chinese.isEmpty && row.english != row.chinese)
            #expect(!row.meaning.isEmpty)
            // RFC 9209 2.3: an error type is a token.
            #expect(row.proxyError.allSatisfy { $0.isLowercase || $0 == "_" || $0 == "," || $0 == " " })
        }
        #expect(ErrorCatalogue.markdown.split(separator: "\n").count == 21)
    }

    @Test(arguments: [
        (TransferFailure.Kind.unreachable, "offline", "connect: why", "destination_unavailable"),
        (.dns, "dns", "resolve: why", "dns_error"),
        (.refused, "refused", "connect: why", "connection_refused"),
        (.connectTimeout, "timeout", "connect: why", "connection_timeout"),
        (.firstByteTimeout, "timeout", "response: why", "http_response_timeout"),
        (.idleTimeout, "timeout", "idle: why", "http_response_timeout"),
        (.totalTimeout, "timeout", "total: why", "http_response_timeout"),
        (.reset, "connection_lost", "response: why", "connection_terminated"),
        (.tls, "tls", "tls: why", "tls_protocol_error"),
        (.proxy, "offline", "proxy: why", "destination_unavailable"),
        (.malformedAnswer, "bad_answer", "answer: why", "http_protocol_error"),
        (.local, "internal", "transfer: why", "proxy_internal_error"),
    ])
    func aFailedTransferBecomesItsKind(
        _ kind: TransferFailure.Kind, _ word: String, _ detail: String, _ proxyError: String
    ) {
        let error = GatewayError(failure(kind))
        #expect(error.kind.rawValue == word)
        #expect(error.detail == detail)
        #expect("\(ErrorResponse(error).proxyError)" == proxyError)
    }

    @Test func whatMayBeRetriedDependsOnWhetherABytesLeft() {
        #expect(GatewayError(failure(.refused, sent: false)).retry == .safe)
        #expect(GatewayError(failure(.reset, sent: true)).retry == .idempotentOnly)
        #expect(GatewayError(failure(.tls, sent: false)).retry == .never)
    }

    @Test(
        arguments: [(0, 1), (1, 1), (s(1), 1), (s(1) + 1, 2), (s(3), 3), (.max, 18_446_744_074)] as [(UInt64, UInt64)])
    func retryAfterIsRoundedUpAndNeverZero(_ nanoseconds: UInt64, _ seconds: UInt64) {
        let error = GatewayError(.offline, detail: "", retryAfter: nanoseconds)
        #expect(ErrorResponse(error).retryAfter == seconds)
    }

    @Test func retryAfterFollowsTheRuleOfTheKind() {
        #expect(ErrorResponse(GatewayError(.offline, detail: "")).retryAfter == 1)
        #expect(ErrorResponse(GatewayError(.dns, detail: "")).retryAfter == nil)
        #expect(ErrorResponse(GatewayError(.dns, detail: "", retryAfter: s(4))).retryAfter == 4)
        #expect(ErrorResponse(GatewayError(.loginRefused, detail: "", retryAfter: s(4))).retryAfter == nil)
    }

    @Test(arguments: [
        (400, GatewayError.Kind.badRequest), (405, .badRequest), (408, .badRequest), (413, .tooLarge),
        (414, .tooLarge), (417, .badRequest), (421, .forbidden), (431, .tooLarge), (501, .badRequest),
        (505, .badRequest),
    ])
    func aRefusedRequestKeepsItsStatus(_ status: Int, _ kind: GatewayError.Kind) {
        let error = GatewayError(refusedWith: status, detail: "bare_lf", closesConnection: true)
        #expect(error.kind == kind)
        #expect(ErrorResponse(error).status == status)
        #expect(ErrorResponse(error).closesConnection)
    }

    @Test func aWireRefusalKeepsStatusReasonAndClose() {
        let error = GatewayError(WireRefusal(.foreignHost, close: false))
        #expect(error.kind == .forbidden && error.status == 421 && error.detail == "foreign_host")
        #expect(!ErrorResponse(error).closesConnection)
        #expect(GatewayError(WireRefusal(.refusedMethod)).allow != nil)
    }

    @Test(arguments: [
        (GatewayError.Kind.offline, GatewayError.Kind.offline), (.timeout, .timeout), (.refused, .refused),
        (.upstreamError, .loginUnavailable), (.badAnswer, .loginUnavailable), (.overloaded, .loginUnavailable),
        (.loginRefused, .loginRefused),
    ])
    func aLoginThatFailsNeverLooksLikeAWrongPassword(_ met: GatewayError.Kind, _ told: GatewayError.Kind) {
        let error = GatewayError(met, detail: "x").whileLoggingIn
        #expect(error.kind == told)
        #expect(error.detail == "login: x")
        #expect(error.whileLoggingIn == error)
    }

    @Test func textsCanBeReplacedOneByOne() {
        let texts = ErrorTexts(overrides: TextOverrides(byLanguage: ["zh-Hans": ["offline": "断网了"], "xx": ["a": "b"]]))
        #expect(text(texts.text(.offline, .simplifiedChinese)) == "断网了")
        #expect(text(texts.text(.offline, .english)) == "The Internet connection appears to be offline.")
        #expect(text(texts.text(.timeout, .simplifiedChinese)) == "请求超时，请稍候再试")
    }

    @Test func customaryChineseTexts() {
        #expect(ErrorTexts.builtIn(.offline, .simplifiedChinese) == "无网络连接，请检查网络")
        #expect(ErrorTexts.builtIn(.upstreamError, .simplifiedChinese) == "服务器开小差了，请稍候再试")
        #expect(ErrorTexts.builtIn(.sessionPending, .simplifiedChinese) == "登录超时,正在重新登录")
        #expect(ErrorTexts.builtIn(.loginRequired, .simplifiedChinese) == "请先登录")
    }

    @Test(
        arguments: [
            (nil, Language.english), ("", .english), ("zh", .simplifiedChinese), ("zh-CN", .simplifiedChinese),
            ("zh-Hans-CN", .simplifiedChinese), ("zh-TW", .simplifiedChinese), ("ZH-cn", .simplifiedChinese),
            ("en", .english), ("en-US,en;q=0.9", .english), ("fr,de", .english), ("*", .english),
            ("zh-CN,zh;q=0.9,en;q=0.8", .simplifiedChinese), ("en;q=0.8, zh;q=0.9", .simplifiedChinese),
            ("en, zh", .english), ("zh, en", .simplifiedChinese), ("fr, zh;q=0.1", .simplifiedChinese),
            ("zh;q=0", .english), ("en;q=0, *;q=0.5", .simplifiedChinese), ("zh;q=0.5, *", .english),
            ("zh;q=1.5", .english), ("zh;q=abc, en;q=0.1", .english), ("zhx", .english), ("z", .english),
            ("zh ; q=0.7 , en ; q=0.6", .simplifiedChinese), (",,;,", .english), ("zh;q=0.001", .simplifiedChinese),
        ] as [(String?, Language)])
    func languageIsNegotiated(_ field: String?, _ language: Language) {
        #expect(Language.negotiate(acceptLanguage: field.map { bytes($0)[...] }) == language, "\(field ?? "nil")")
    }
}
