package import Bytes
import Cryptography

/// The state of HTTP Digest towards one upstream: its newest challenge, the counter, and whether it takes the password.
///
///     no challenge -> 401 -> challenge (unproven) -> 2xx... -> proven
///     401 stale=true, or a new nonce after a proven one -> new challenge, same password
///     401 on an unproven challenge that is not stale -> refused: nothing is tried until an operator acts (accounts lock)
package struct DigestSession: Sendable {
    package enum Verdict: Equatable {
        /// The answer is the client's.
        case pass
        /// It is too, but its `rspauth` is wrong: somebody answers who does not know the password.
        case passUnproven
        /// Send it again: there is a newer nonce.
        case replay
        case refused
    }

    private var challenge: DigestChallenge?
    private var count: UInt32 = 0
    private var cnonce: [UInt8] = []
    private var session: (nonce: [UInt8], cnonce: [UInt8]) = ([], [])
    /// The password was taken under this challenge or the one before it.
    package private(set) var isProven = false
    package private(set) var refusal: GatewayError?

    package init() {}

    /// The nonce that requests go out with; `nil`: no challenge is known.
    package var nonce: [UInt8]? { challenge?.nonce }

    /// The body must be at hand.
    package var readsBody: Bool { challenge?.protection == .authInt }

    /// The `Authorization` value of the next request and what to remember of it; `nil` when the server has not asked yet.
    /// - Parameter cnonce: fresh, or the pinned one.
    package mutating func authorization(
        username: [UInt8], password: [UInt8], method: [UInt8], uri: [UInt8], body: [UInt8], cnonce fresh: [UInt8]
    ) -> (value: [UInt8], sent: DigestSent)? {
        guard let challenge else { return nil }
        count &+= 1
        if session.cnonce.isEmpty { session = (challenge.nonce, fresh) }
        // A session key is bound to its client nonce; otherwise each request has its own.
        cnonce = challenge.isSession ? session.cnonce : fresh
        let response = DigestResponse(
            challenge: challenge, username: username, password: password, cnonce: cnonce, count: count, session: session
        )
        return (
            response.authorization(method: method, uri: uri, body: body),
            DigestSent(nonce: challenge.nonce, proof: response.serverProof(uri: uri))
        )
    }

    /// Looks at an answer.
    /// - Parameter sent: what its request carried; `nil`: nothing.
    package mutating func answered(status: Int, fields: PairBlock, sent: DigestSent?) -> Verdict {
        guard status == 401 else {
            guard let sent else { return .pass }
            let info = fields.first("authentication-info", folding: true)
                .flatMap { AuthenticateField.challenges($0).first }
            if sent.nonce == challenge?.nonce {
                isProven = true
                if let next = info?.value("nextnonce") { learn(next) }
            }
            guard let proof = sent.proof, let given = info?.value("rspauth") else { return .pass }
            return given.map(ASCII.lower) == proof ? .pass : .passUnproven
        }
        guard let asked = DigestChallenge(fields) else { return .pass }
        guard let sent else {
            if challenge == nil { adopt(asked) }
            return .replay
        }
        // Another request met the same and was faster.
        if sent.nonce != challenge?.nonce { return refusal == nil ? .replay : .refused }
        if asked.isStale {
            adopt(asked, keepsProof: true)
            return .replay
        }
        // Some servers forget `stale`: after an answer under the old nonce the password is not in doubt, once.
        if isProven, asked.nonce != sent.nonce {
            adopt(asked)
            return .replay
        }
        refusal = GatewayError(.loginRefused, detail: "the upstream refused user name or password (HTTP Digest)")
        return .refused
    }

    /// What was refused is forgotten.
    package mutating func reset() { self = DigestSession() }

    private mutating func adopt(_ asked: DigestChallenge, keepsProof: Bool = false) {
        challenge = asked
        (count, session) = (0, ([], []))
        isProven = keepsProof && isProven
    }

    /// `Authentication-Info: nextnonce="..."` (RFC 7616 3.5).
    private mutating func learn(_ next: [UInt8]) {
        guard !next.isEmpty, next.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return }
        challenge?.nonce = next
        count = 0
    }
}
