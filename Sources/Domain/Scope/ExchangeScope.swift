import Bytes
import Cryptography
import JSONBytes
package import Expressions

/// What expressions see while one exchange (or one login) is worked on. Slots are `ScopeSlot`s.
package final class ExchangeScope: EvaluationContext {
    /// In the state that it has reached.
    package var request: RequestDraft
    /// The answer that a test looks at; `nil` until there is one.
    package var response: ResponseView?
    /// The session that the request goes out with (a `CredentialSnapshot`), or the captures of a login so far; nil for a
    /// guest.
    package var session: (any HostObject)?
    /// The session's jar, where it keeps one.
    package var cookies: SessionCookies?
    /// Variables of the login step or the signature that is worked on, or was worked on last, in order.
    package private(set) lazy var variables = MemberList(what: "the variable has no value yet")
    /// Values of the variables of those signatures that want them compared with the upstream's echo, by their names.
    package var signed: [String: [Value]] = [:]
    /// What `render` and `to` make texts of; `nil` outside of them.
    package var message: RenderedMessage?
    /// What the client sent, as far as it has come: `request` of a message to it.
    package var client: RequestDraft?
    /// The field that a transform works on.
    package var field: Value?
    /// Wall clock as the upstream sees it (its clock offset is in).
    package var now: (seconds: Int64, nanoseconds: Int32)
    /// Secrets, device id and pinned values.
    package let surroundings: Surroundings
    /// Only `explain` watches how a request is put together.
    package var trace: AssemblyTrace?
    package var trail: SecretTrail? { trace?.trail }
    /// The upstream's newest `DPoP-Nonce`.
    package var dpopNonce: [UInt8]?
    /// Canonical requests and strings to sign of the signature under way.
    var builtInTexts: [Value] = []
    private var nonce: [UInt8]?

    package init(request: RequestDraft, now: (seconds: Int64, nanoseconds: Int32), surroundings: Surroundings) {
        self.request = request
        self.now = now
        self.surroundings = surroundings
    }

    /// A built-in signature tells what it signed: for `explain`, and for the comparison with the upstream's echo.
    func noteSigned(_ recipe: String, signature: [UInt8], _ texts: [(name: String, text: [UInt8])]) {
        trace?.signed(recipe, signature: signature, texts)
        builtInTexts += texts.map { .text($0.text) }
    }

    /// Every attempt is signed anew: new nonce.
    package func startAttempt(now: (seconds: Int64, nanoseconds: Int32)) {
        self.now = now
        nonce = nil
        variables.removeAll()
    }

    package func value(at index: Int) throws(EvaluationError) -> Value {
        guard let slot = ScopeSlot(rawValue: index) else { throw .unavailable("no such name") }
        switch slot {
        case .request: return .object(message == nil ? request : client ?? request)
        case .response: return .object(try answer())
        case .status:
            if let message { return .int(Int64(message.status)) }
            return .int(Int64(try answer().status))
        case .headers: return .pairs(try answer().fields, folding: true)
        case .json: return .json(try answer().json())
        case .text: return try answer().member(4)
        case .xml: return try answer().xml()
        case .value:
            guard let field else { throw .unavailable("there is no field at hand") }
            return field
        case .session:
            guard let session else { throw .unavailable("there is no session") }
            return .object(session)
        case .secret: return .object(surroundings)
        case .vars: return .object(variables)
        case .now: return try timestamp()
        case .device: return .text(surroundings.device)
        case .nonce: return .text(nonceText())
        case .cookies: return .pairs(cookies?.jar.pairs ?? PairBlock(), folding: false)
        case .ok, .code, .message, .data, .kind, .detail, .retryAfter: return try rendered(slot)
        }
    }

    private func answer() throws(EvaluationError) -> ResponseView {
        guard let response else { throw .unavailable("there is no answer yet") }
        return response
    }

    private func timestamp() throws(EvaluationError) -> Value {
        guard let stamp = Timestamp(seconds: now.seconds, nanoseconds: Int64(now.nanoseconds)) else {
            throw .unavailable("the clock is out of range")
        }
        return .timestamp(stamp)
    }

    /// The nonce of this attempt: one value however often it is asked for.
    package func nonceText() -> [UInt8] {
        if let pinned = surroundings.pinnedNonce { return pinned }
        if let nonce { return nonce }
        let fresh = SecureRandom.hex(16)
        nonce = fresh
        return fresh
    }

    private func rendered(_ slot: ScopeSlot) throws(EvaluationError) -> Value {
        guard let message else { throw .unavailable("there is no message") }
        switch slot {
        case .ok: return .bool(message.ok)
        case .code: return .optional(message.code.isAbsent ? nil : message.code)
        case .message: return message.message.isAbsent ? .text("") : message.message
        case .data: return message.data
        case .kind: return message.kind.map { Value.text($0) } ?? .null
        case .detail: return message.detail.map { Value.text($0) } ?? .null
        case .retryAfter: return .optional(message.retryAfter.map { .int(Int64($0)) })
        default: throw .unavailable("no such name")
        }
    }
}

/// A normalized message on its way to a client, or a gateway-made error, as `render` expressions see it.
package struct RenderedMessage {
    /// The upstream did what was asked.
    package var ok: Bool
    /// The dialect's own code, in its own type; absent when it has none.
    package var code: Value
    /// Text for people; absent when there is none.
    package var message: Value
    /// The payload.
    package var data: Value
    /// HTTP status of the answer that is made.
    package var status: Int
    /// Only when the gateway itself answers.
    package var kind: String?
    /// What to do about it; only with `kind`.
    package var detail: String?
    /// Seconds.
    package var retryAfter: UInt64?
    /// What the envelope could not read of the answer.
    package var faults: [EnvelopeFault] = []

    package init(ok: Bool, code: Value, message: Value, data: Value, status: Int) {
        self.ok = ok
        self.code = code
        self.message = message
        self.data = data
        self.status = status
    }
}

/// What does not change between two exchanges: secrets, the device id, pinned values for tests.
package final class Surroundings: HostObject {
    private let secrets: [NamedSecret]
    /// A UUID that stays the same from run to run.
    package let device: [UInt8]
    /// `run --pin-nonce`, `explain --nonce`.
    package let pinnedNonce: [UInt8]?
    package let objectType: ObjectType

    package init(secrets: [NamedSecret], device: [UInt8], pinnedNonce: [UInt8]? = nil) {
        self.secrets = secrets
        self.device = device
        self.pinnedNonce = pinnedNonce
        objectType = ObjectType(name: "secret", members: secrets.map { ($0.name, .string) })
    }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        guard secrets.indices.contains(index) else { throw .unavailable("no such secret") }
        return secrets[index].value.withBytes { bytes in
            var copy: [UInt8] = []
            copy.append(copying: bytes)
            return .text(copy)
        }
    }
}

extension Surroundings {
    package func append(_ index: Int, to output: inout [UInt8]) throws(EvaluationError) -> Bool {
        guard secrets.indices.contains(index) else { return false }
        secrets[index].value.withBytes { output.append(copying: $0) }
        return true
    }
}

/// Values by slot, under one name: the variables of a signature, the captures of a login under way.
package final class MemberList: HostObject {
    private static let type = ObjectType(name: "members", members: [], dynamic: .dyn)
    /// By slot.
    package private(set) var values: [Value]
    private let what: String

    package init(_ values: [Value] = [], what: String) {
        self.values = values
        self.what = what
    }

    package var objectType: ObjectType { Self.type }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        guard values.indices.contains(index) else { throw .unavailable(what) }
        return values[index]
    }

    package func append(_ value: Value) { values.append(value) }
    package func replace(with values: [Value]) { self.values = values }
    package func set(_ value: Value, at index: Int) { values[index] = value }
    package func removeAll() { values.removeAll(keepingCapacity: true) }
}

extension CredentialSnapshot: HostObject {
    private static let type = ObjectType(name: "session", members: [], dynamic: .dyn)

    package var objectType: ObjectType { Self.type }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        guard captures.indices.contains(index) else { throw .unavailable("the session has no such capture") }
        return captures[index].value
    }
}
