import Bytes
import Cryptography
import JSONBytes
import Testing

@testable import DemoUpstream

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A shop with numbered tokens, and a client that signs.
struct Shop {
    var machine: ShopMachine
    var now: Int64 = 1_492_495_675

    init(_ change: (inout DemoOptions) -> Void = { _ in }) {
        var options = DemoOptions()
        change(&options)
        let numbers = Numbers()
        machine = ShopMachine(options: options, makeToken: { numbers.next() })
    }

    final class Numbers {
        var last = 0
        func next() -> [UInt8] {
            last += 1
            return bytes("token-\(last)")
        }
    }

    static func form(_ fields: [(String, String)]) -> [UInt8] {
        var body: [UInt8] = []
        for (name, value) in fields {
            if !body.isEmpty { body.append(0x26) }
            Percent.encode(bytes(name).span, into: &body)
            body.append(0x3D)
            Percent.encode(bytes(value).span, into: &body)
        }
        return body
    }

    /// Sends exactly this.
    mutating func raw(
        _ path: String, query: String = "", body: [UInt8], type: String = "application/x-www-form-urlencoded",
        isPost: Bool = true
    ) throws -> ShopAnswer {
        let request = ShopRequest(
            isPost: isPost, path: bytes(path)[...], query: bytes(query)[...], contentType: bytes(type)[...], body: body)
        return machine.answer(try #require(request), now: now)
    }

    /// Signs and sends.
    mutating func call(
        _ controller: String, _ action: String, _ fields: [(String, String)] = [], time: Int64? = nil
    ) throws -> Answer {
        var all = fields + [("time", String(time ?? now))]
        let unsigned = Self.form(all)
        let sign = ShopSignature.expected(PHPForm(unsigned.span), key: bytes(machine.options.signKey))
        all.append(("sign", text(sign)))
        let answer = try raw("/index.php", query: "m=Api&c=\(controller)&a=\(action)", body: Self.form(all))
        return try Answer(answer)
    }

    mutating func login(_ name: String = "13800138006", _ password: String = "demo-password") throws -> Answer {
        let digest = Digest.hash(.md5, bytes("TPSHOP" + password).span)
        let hash = text(Hex.encode(digest.span))
        return try call("User", "login", [("username", name), ("password", hash), ("push_id", "")])
    }

    struct Answer {
        let raw: [UInt8]
        let status: Int64
        let message: String
        let json: JSONValue

        init(_ answer: ShopAnswer) throws {
            raw = answer.body
            json = try JSONDocument(parsing: answer.body).root
            status = try #require(json.member("status")?.int64)
            message = String(decoding: try #require(json.member("msg")?.string), as: UTF8.self)
        }

        var result: JSONValue? { json.member("result") }
        func text(_ pointer: String) -> String? {
            let path = bytes(pointer)
            return json.pointer(path.span)?.string.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
