import Synchronization

/// One call of a digest, MAC or signature function: what `explain` calls the string to sign.
package struct CryptographicCall: Sendable, Equatable {
    /// As in the expression: `hmac.sha256`.
    package var function: String
    /// The bytes that were digested, signed, verified or encrypted.
    package var message: [UInt8]
    /// Not to be shown: a derived key is as good as the secret. Empty for a plain digest.
    package var key: [UInt8]

    package init(function: String, message: [UInt8], key: [UInt8] = []) {
        self.function = function
        self.message = message
        self.key = key
    }
}

/// Notes what cryptographic functions are given. Only expressions that were compiled with `FunctionTable.recording(to:)`
/// write here, so that the gateway's own evaluator needs no hook.
package final class CallRecorder: Sendable {
    private let calls = Mutex<[CryptographicCall]>([])

    package init() {}

    /// The calls since the last time, in the order in which they returned: an inner call comes before the outer one.
    package func take() -> [CryptographicCall] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }

    fileprivate func append(_ function: String, _ message: Value, key: Value? = nil) {
        guard let bytes = message.contents else { return }
        let key = key?.contents.map { Array($0) } ?? []
        calls.withLock { $0.append(CryptographicCall(function: function, message: Array(bytes), key: key)) }
    }
}

extension FunctionTable {
    private static let recorded = [
        "hash.", "hmac.", "cmac.", "rsa.", "ecdsa.", "ed25519.", "sm2.", "aes.", "des.", "sm4.", "chacha20.", "rc4.",
    ]
    /// They make a key of numbers; there is no message.
    private static let notRecorded: Set<String> = ["rsa.public"]

    static func records(_ function: Function) -> Bool {
        recorded.contains { function.name.hasPrefix($0) } && !notRecorded.contains(function.name)
    }

    /// The same functions; those of cryptography write down what they are given, and what is compiled with them can be
    /// followed by a `SecretTrail`. Not for the gateway itself: the recorder keeps every message until somebody takes it.
    package func recording(to recorder: CallRecorder) -> FunctionTable {
        FunctionTable(
            functions.map { function in
                Self.records(function) ? function.recording(to: recorder) : function
            }, isRecording: true)
    }
}

extension Function {
    fileprivate func recording(to recorder: CallRecorder) -> Function {
        let name = name
        switch body {
        case .nullary, .join: return self
        case .transform(let transform):
            return with(
                body: .unary { message throws(EvaluationError) in
                    let result = try transform.value(of: message)
                    recorder.append(name, message)
                    return result
                })
        case .unary(let code):
            return with(
                body: .unary { message throws(EvaluationError) in
                    let result = try code(message)
                    recorder.append(name, message)
                    return result
                })
        case .binary(let code):
            return with(
                body: .binary { key, message throws(EvaluationError) in
                    let result = try code(key, message)
                    recorder.append(name, message, key: key)
                    return result
                })
        case .metered: return self
        case .variadic(let code):
            return with(
                body: .variadic { values throws(EvaluationError) in
                    let result = try code(values)
                    if values.count > 1 { recorder.append(name, values[1], key: values[0]) }
                    return result
                })
        }
    }
}
