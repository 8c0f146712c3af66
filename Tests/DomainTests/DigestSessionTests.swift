import Bytes
import Cryptography
import Testing

@testable import Domain

/// HTTP Digest: challenges as servers write them, and the state of a session.
struct DigestSessionTests {
    private func challenge(_ values: String...) -> DigestChallenge? {
        DigestChallenge(fields(values.map { ("WWW-Authenticate", $0) }))
    }

    @Test func theFirstChallengeThatCanBeMetIsTaken() throws {
        let found = try #require(
            challenge(
                "Negotiate", "Basic realm=\"a, Digest b\", DIGEST realm = \"r\", nonce=\"n\", algorithm=SHA3, qop=auth",
                "digest REALM=\"q \\\"x\\\"\", nonce=abc, qop=\"auth-int , AUTH\", algorithm=sha-512-256-SESS, stale=TRUE, "
                    + "userhash=true, opaque=\"\"", "Digest realm=\"z\", nonce=\"z\""))
        #expect(text(found.realm) == "q \"x\"")
        #expect(text(found.nonce) == "abc")
        #expect(found.algorithm == .sha512_256)
        #expect(found.isSession && found.isStale && found.hashesUser)
        #expect(found.protection == .auth)
        #expect(found.opaque == [])
    }

    @Test(arguments: [
        "", "Basic realm=\"x\"", "Digest", "Digest realm=\"x\"", "Digest nonce=\"x\"", "Digest realm=\"x\", nonce=\"\"",
        "Digest realm=\"a\", nonce=\"b\", qop=\"auth-conf\"", "Digest realm=\"a\", nonce=\"b\", algorithm=SHA-1",
        "Digest realm=\"a\", nonce=\"b\u{1}\"", "Digest realm=\"open", "===,,,=\"",
    ])
    func noChallenge(_ value: String) {
        #expect(challenge(value) == nil)
    }

    private func answer(_ session: inout DigestSession, sent: [UInt8]?, _ value: String?) -> DigestSession.Verdict {
        guard let value else { return session.answered(status: 200, fields: PairBlock(), sent: sent) }
        return session.answered(status: 401, fields: fields([("WWW-Authenticate", value)]), sent: sent)
    }

    private func authorization(_ session: inout DigestSession) -> String? {
        session.authorization(
            username: bytes("u"), password: bytes("p"), method: bytes("GET"), uri: bytes("/"), body: [],
            cnonce: bytes("c")
        ).map { text($0) }
    }

    private func challengeText(_ nonce: String, stale: Bool = false) -> String {
        "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth\"\(stale ? ", stale=true" : "")"
    }

    @Test func aPasswordThatIsRefusedOnceIsNotTriedAgain() {
        var session = DigestSession()
        #expect(authorization(&session) == nil)
        #expect(answer(&session, sent: nil, challengeText("1")) == .replay)
        #expect(authorization(&session)?.contains("nc=00000001") == true)
        #expect(answer(&session, sent: bytes("1"), challengeText("2")) == .refused)
        #expect(session.refusal?.kind == .loginRefused)
        session.reset()
        #expect(session.refusal == nil && session.nonce == nil)
    }

    @Test func aStaleNonceIsReplacedAndTheCounterBeginsAnew() {
        var session = DigestSession()
        _ = answer(&session, sent: nil, challengeText("1"))
        _ = authorization(&session)
        #expect(answer(&session, sent: bytes("1"), nil) == .pass)
        #expect(authorization(&session)?.contains("nc=00000002") == true)
        #expect(answer(&session, sent: bytes("1"), challengeText("2", stale: true)) == .replay)
        #expect(authorization(&session)?.contains("nonce=\"2\"") == true)
        #expect(answer(&session, sent: bytes("2"), challengeText("3")) == .replay, "proven before: stale was forgotten")
        #expect(answer(&session, sent: bytes("3"), challengeText("4")) == .refused)
    }

    @Test func aStragglerOfAnOlderNonceTakesTheNewOne() {
        var session = DigestSession()
        _ = answer(&session, sent: nil, challengeText("1"))
        _ = answer(&session, sent: bytes("1"), challengeText("2", stale: true))
        #expect(answer(&session, sent: bytes("1"), challengeText("9")) == .replay)
        #expect(session.nonce == bytes("2"))
        #expect(answer(&session, sent: nil, "Basic realm=\"x\"") == .pass)
    }

    @Test func theNextNonceIsLearnt() {
        var session = DigestSession()
        _ = answer(&session, sent: nil, challengeText("1"))
        let info = fields([("Authentication-Info", "rspauth=\"0\", nextnonce=\"n, 2\"")])
        #expect(session.answered(status: 200, fields: info, sent: bytes("1")) == .pass)
        #expect(session.nonce == bytes("n, 2"))
        #expect(authorization(&session)?.contains("nc=00000001") == true)
    }
}
