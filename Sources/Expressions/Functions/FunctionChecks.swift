import Cryptography

/// What functions can say about arguments that are known before any request: constants, and secrets once they are read.
/// Most are simply tried, with a sample in the place of each argument that is not known yet.
enum FunctionChecks {
    static func check(for function: Function) -> Function.Check? {
        switch function.name {
        case "time.format": trying(function, [.timestamp(epoch), .text("%Y"), .text("UTC")])
        case "time.parse": timeParsing(function)
        case "charset.encode": trying(function, [.text("a"), .text("utf-8")], if: [1])
        case "charset.decode": charsetDecoding(function)
        case "random.hex", "random.bytes", "random.alphanumeric", "random.digits", "lists.range", "hex.decode",
            "base64.decode", "base64url.decode", "timestamp", "duration":
            trying(function, [.int(1)], if: [0])
        case "url.encodeExcept": trying(function, [.text("a"), .text("-")], if: [1])
        case "format": formatting(function)
        case "totp":
            trying(
                function,
                [.bytes(ArraySlice(repeating: 0x31, count: 20)), .timestamp(epoch), .int(6), .int(30), .text("sha1")],
                if: [0, 2, 3, 4])
        case let name where name.hasPrefix("get") && function.isMember:
            trying(function, [.timestamp(epoch), .text("UTC")], if: [1])
        default: keyCheck(for: function)
        }
    }

    /// 1970: every field of a date has a value then.
    private static let epoch = Timestamp.start

    /// Calls the function when one of the arguments at these places is known.
    private static func trying(_ function: Function, _ samples: [Value], if places: [Int]? = nil) -> Function.Check {
        let samples = samples.map { Constant($0) }
        return { known throws(EvaluationError) in
            let given = places ?? Array(samples.indices)
            guard given.contains(where: { $0 < known.count && known[$0] != nil }) else { return }
            var values: [Value] = []
            for index in known.indices {
                guard let value = known[index] ?? (index < samples.count ? samples[index]?.value : nil) else { return }
                values.append(value)
            }
            _ = try function.call(values)
        }
    }

    /// A sample of the form is a date that was written in it.
    private static func timeParsing(_ function: Function) -> Function.Check {
        { known throws(EvaluationError) in
            guard known.count > 1, let form = known[1] else { return }
            let text = try TimeText.format(epoch, try form.requireString(), offset: 0)
            var values: [Value] = [.text(text), form]
            if known.count > 2 { values.append(known[2] ?? .text("UTC")) }
            do throws(EvaluationError) {
                _ = try function.call(values)
            } catch {
                throw error.subject == "time" ? .argument("a field that cannot be read") : error
            }
        }
    }

    private static func charsetDecoding(_ function: Function) -> Function.Check {
        { known throws(EvaluationError) in
            // No bytes are text in every character set.
            guard known.count > 1, let label = known[1] else { return }
            _ = try function.call([.bytes([]), label])
        }
    }

    /// A number fits every clause.
    private static func formatting(_ function: Function) -> Function.Check {
        { known throws(EvaluationError) in
            guard let text = try known.first??.requireString() else { return }
            _ = try function.call([.string(text), .list(Array(repeating: .int(1), count: text.count))])
        }
    }

    // MARK: Keys

    private static func keyCheck(for function: Function) -> Function.Check? {
        let name = function.name
        switch name {
        case "jwt.sign", "jwt.verify": return tokens(function)
        case "jwk.public", "jwk.thumbprint": return trying(function, [.text("")], if: [0])
        default: break
        }
        guard ["rsa.", "ecdsa.", "ed25519.", "sm2."].contains(where: { name.hasPrefix($0) }) else { return nil }
        let isTried = !name.contains("verify") && !name.contains("decrypt")
        let isPublic = name.contains("verify") || name.contains("encrypt")
        return { known throws(EvaluationError) in
            guard let key = known.first ?? nil else { return }
            // A key of another kind than the function's shows only in its use.
            if isTried, known.count == 2 {
                _ = try function.call([key, known[1] ?? .text("sample")])
            } else if isPublic {
                _ = try KeyCache.shared.publicKey(try key.requireContents())
            } else {
                _ = try KeyCache.shared.privateKey(try key.requireContents())
            }
        }
    }

    /// The algorithm first, then the key that it needs.
    private static func tokens(_ function: Function) -> Function.Check {
        let signs = function.name == "jwt.sign"
        return { known throws(EvaluationError) in
            guard let name = try known.first??.requireString() else { return }
            guard let algorithm = JOSE.Algorithm(rawValue: String(decoding: name, as: UTF8.self)) else {
                let names = JOSE.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw .argument("algorithm: one of \(names)")
            }
            guard known.count > 1, let key = try known[1]?.requireContents() else { return }
            if signs {
                _ = try JOSE.compact(algorithm, key: key, header: [0x7B, 0x7D], payload: [0x7B, 0x7D])
            } else if !algorithm.rawValue.hasPrefix("HS") {
                _ = try KeyCache.shared.publicKey(key)
            }
        }
    }
}
