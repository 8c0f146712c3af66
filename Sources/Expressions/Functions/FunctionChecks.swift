import Cryptography

/// What functions can say about arguments that are known before any request: constants, secrets once they are read, and
/// what is made of them. They are simply tried, with a sample in the place of each argument that is not known yet.
enum FunctionChecks {
    static func check(for function: Function) -> Function.Check? {
        // Calling it would count.
        guard function.name != "counter.next" else { return nil }
        let partial = partialCheck(for: function)
        return { known, meter throws(EvaluationError) in
            let values = known.compactMap { $0 }
            guard values.count == known.count else {
                try partial?(known, &meter)
                return nil
            }
            if case .join = function.body { return nil }
            guard !values.isEmpty else { return nil }
            let result = try function.call(values, &meter)
            return function.isPure || function.name.hasPrefix("ec.") ? result : nil
        }
    }

    private typealias Partial = @Sendable (_ known: [Value?], _ meter: inout Meter) throws(EvaluationError) -> Void

    private static func partialCheck(for function: Function) -> Partial? {
        let name = function.name
        if let samples = FunctionSamples.samples(for: name) {
            return trying(samples.instead ?? function, samples.values, if: samples.places, without: samples.unlike)
        }
        switch name {
        case "time.parse": return timeParsing(function)
        case "format": return formatting(function)
        case "charset.decode":
            // No bytes but none are text in every character set.
            return trying(function, [.bytes([]), .string([])], if: [1], without: 0)
        case "pairs.flatten":
            return { known, meter throws(EvaluationError) in
                guard known.count > 1, let style = known[1] else { return }
                _ = try function.call([.map(MapValue([])), style], &meter)
            }
        default: return keyCheck(for: function)
        }
    }

    /// 1970: every field of a date has a value then.
    private static let epoch = Timestamp.start

    /// Calls the function when one of the arguments at these places is known; the argument at `without` is a sample always.
    private static func trying(
        _ function: Function, _ samples: [Constant], if places: [Int]? = nil, without: Int? = nil
    ) -> Partial {
        { known, meter throws(EvaluationError) in
            let given = places ?? Array(samples.indices)
            guard given.contains(where: { $0 != without && $0 < known.count && known[$0] != nil }) else { return }
            var values: [Value] = []
            for index in known.indices {
                let value = index == without ? nil : known[index]
                guard let value = value ?? (index < samples.count ? samples[index].value : nil) else { return }
                values.append(value)
            }
            _ = try function.call(values, &meter)
        }
    }

    /// A sample of the form is a date that was written in it.
    private static func timeParsing(_ function: Function) -> Partial {
        { known, meter throws(EvaluationError) in
            guard known.count > 1, let form = known[1] else { return }
            let sample = Value.text(try TimeText.format(epoch, try form.requireString(), offset: 0))
            var values: [Value] = [known[0] ?? sample, form]
            if known.count > 2 { values.append(known[2] ?? .text("UTC")) }
            _ = try function.call(values, &meter)
        }
    }

    /// A number fits every clause.
    private static func formatting(_ function: Function) -> Partial {
        { known, meter throws(EvaluationError) in
            guard let text = try known.first??.requireString() else { return }
            _ = try function.call([.string(text), .list(Array(repeating: .int(1), count: text.count))], &meter)
        }
    }

    // MARK: Keys

    private static func keyCheck(for function: Function) -> Partial? {
        let name = function.name
        switch name {
        case "jwt.sign", "jwt.verify": return tokens(function)
        case "jwk.public":
            // The members that go with it say nothing about the key.
            return { known, meter throws(EvaluationError) in
                if let key = known.first ?? nil { _ = try function.call([key], &meter) }
            }
        default: break
        }
        guard ["rsa.", "ecdsa.", "ed25519.", "sm2."].contains(where: { name.hasPrefix($0) }) else { return nil }
        let isTried = !name.contains("verify") && !name.contains("decrypt")
        let isPublic = name.contains("verify") || name.contains("encrypt")
        return { known, meter throws(EvaluationError) in
            guard let key = known.first ?? nil else { return }
            // A key of another kind than the function's shows only in its use.
            if isTried, known.count == 2 {
                _ = try function.call([key, known[1] ?? .text("sample")], &meter)
            } else if isPublic {
                _ = try KeyCache.shared.publicKey(try key.requireContents())
            } else {
                _ = try KeyCache.shared.privateKey(try key.requireContents())
            }
        }
    }

    /// The algorithm first, then the key that it needs.
    private static func tokens(_ function: Function) -> Partial {
        let signs = function.name == "jwt.sign"
        return { known, meter throws(EvaluationError) in
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
