import Testing

@testable import Domain

/// Of a login's answer only what is known to be harmless is told.
struct AnswerOutlineTests {
    @Test(arguments: [
        ("", "empty"), ("plain t0ken-abc", "15 bytes that are neither JSON nor XML"),
        (
            #"{"msg":"no such user","data":{"token":"abc","n":5,"ok":true,"x":null,"l":["abc"]}}"#,
            #"{msg: "no such user", data: {token: text, n: number, ok: true, x: null, l: list of 1}}"#
        ),
        (
            #"{"code":-40013,"status":"e401","error":"invalid_grant","errorCode":123456789,"status_code":123456789}"#,
            #"{code: -40013, status: "e401", error: "invalid_grant", errorCode: 123456789, status_code: number}"#
        ),
        (
            #"{"error":{"message":"key 3f9ac01b77 is no key","token":"x"}}"#,
            #"{error: {message: "key *** is no key", token: text}}"#
        ),
        (
            #"{"ret":"100200105","errcode":"123456789012","code":"1234567890123","err_code":"a23456","token":"100200105"}"#,
            #"{ret: "100200105", errcode: "123456789012", code: "***", err_code: "***", token: text}"#
        ),
        (#"{"message":"use YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo= now"}"#, #"{message: "use *** now"}"#),
        (#"{"a1b2c3d4e5":1,"msg":["t0ken"]}"#, #"{***: number, msg: list of 1}"#),
        (#"["t0ken-abc"]"#, "list of 1"), (#""t0ken-abc""#, "11 bytes that are neither JSON nor XML"),
        ("Notice: x\n{\"msg\":\"密码错误!\"}", #"{msg: "密码错误!"}"#),
        ("<r><Message>not you</Message><Token>abcdef</Token></r>", #"{r: {Message: "not you", Token: text}}"#),
        (#"{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}"#, "{a: {a: {a: {a: {a: {a: {...}}}}}}}"),
    ])
    func told(body: String, outline: String) {
        #expect(String(decoding: AnswerOutline.text(of: bytes(body)), as: UTF8.self) == outline)
    }

    @Test(arguments: [
        ("", "status 403"),
        (#"{"error":"invalid_grant","error_description":"of ann"}"#, "status 403, error invalid_grant"),
        (#"{"error":"ann_is_locked","t":"abc"}"#, #"status 403, {error: "ann_is_locked", t: text}"#),
        (#"{"error":{"code":7}}"#, "status 403, {error: {code: 7}}"),
        ("no", "status 403, 2 bytes that are neither JSON nor XML"),
    ])
    func verdict(body: String, told: String) {
        #expect(AnswerOutline.verdict(403, bytes(body)) == told)
    }
}
