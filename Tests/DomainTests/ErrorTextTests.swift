import Testing

@testable import Domain

/// The classes of network errors that apps know, each with its customary texts and status, and the kind that says them here.
@Suite struct ErrorTextTests {
    @Test(arguments: [
        (
            TransferFailure.Kind.unreachable, "offline", 503, "The Internet connection appears to be offline.",
            "无网络连接，请检查网络"
        ),
        (.dns, "dns", 502, "A server with the specified hostname could not be found.", "找不到服务器，请检查网络或服务器地址"),
        (.refused, "refused", 502, "Could not connect to the server.", "无法连接服务器，请稍候再试"),
        (.connectTimeout, "timeout", 504, "The request timed out.", "请求超时，请稍候再试"),
        (.firstByteTimeout, "timeout", 504, "The request timed out.", "请求超时，请稍候再试"),
        (.reset, "connection_lost", 502, "The network connection was lost.", "网络连接已中断"),
        (
            .tls, "tls", 502, "An SSL error has occurred and a secure connection to the server cannot be made.",
            "无法建立安全连接"
        ),
        (.malformedAnswer, "bad_answer", 502, "The server's response could not be understood.", "服务器返回的数据无法识别"),
    ])
    func aTransferThatFailedSaysWhatAppsSay(
        _ kind: TransferFailure.Kind, _ word: String, _ status: Int, _ english: String, _ chinese: String
    ) {
        let error = GatewayError(failure(kind))
        #expect(error.kind.rawValue == word)
        #expect(ErrorResponse(error).status == status)
        #expect(text(ErrorTexts().text(error.kind, .english)) == english)
        #expect(text(ErrorTexts().text(error.kind, .simplifiedChinese)) == chinese)
    }

    @Test(arguments: [
        (GatewayError.Kind.upstreamError, 502, "The server had a problem; try again later.", "服务器开小差了，请稍候再试"),
        (.sessionPending, 503, "Session expired; signing in again.", "登录超时,正在重新登录"),
        (.loginRequired, 401, "Please sign in first.", "请先登录"),
        (.sessionTaken, 401, "Signed in on another device.", "您的账号已在其他设备登录"),
    ])
    func aSessionSaysWhatAppsSay(_ kind: GatewayError.Kind, _ status: Int, _ english: String, _ chinese: String) {
        #expect(ErrorResponse(GatewayError(kind, detail: "")).status == status)
        #expect(text(ErrorTexts().text(kind, .english)) == english)
        #expect(text(ErrorTexts().text(kind, .simplifiedChinese)) == chinese)
    }
}
