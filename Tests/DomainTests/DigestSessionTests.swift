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

    private func answer(_ session: inout DigestSession, sent nonce: [UInt8]?, _ value: String?) -> DigestSession.Verdict
    {
        let sent = nonce.map { DigestSent(nonce: $0) }
        guard let value else { return session.answered(status: 200, fields: PairBlock(), sent: sent) }
        return session.answered(status: 401, fields: fields([("WWW-Authenticate", value)]), sent: sent)
    }

    private func authorization(_ session: inout DigestSession) -> String? {
        session.authorization(
            username: bytes("u"), password: bytes("p"), method: bytes("GET"), uri: bytes("/"), body: [],
            cnonce: bytes("c")
        ).map { text($0.value) }
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
        #expect(session.answered(status: 200, fields: info, sent: DigestSent(nonce: bytes("1"))) == .pass)
        #expect(session.nonce == bytes("n, 2"))
        #expect(authorization(&session)?.contains("nc=00000001") == true)
    }

    /// `rspauth` is the response with an empty method (RFC 7616 3.5); Python computed it.
    @Test(arguments: [
        ("rspauth=\"4b7bbbc4a0a2ea1a4c5f3f9f8b0c8f2e\"", DigestSession.Verdict.passUnproven),
        ("rspauth=\"ea89d15ffe36f84f492e6c8149347245\"", .pass),
        ("rspauth=\"EA89D15FFE36F84F492E6C8149347245\", qop=auth", .pass), ("rspauth=\"\"", .passUnproven),
        ("nextnonce=\"n\"", .pass), ("", .pass),
    ])
    func theServersProof(_ info: String, _ expected: DigestSession.Verdict) {
        var session = DigestSession()
        _ = answer(&session, sent: nil, challengeText("1"))
        let sent = session.authorization(
            username: bytes("u"), password: bytes("p"), method: bytes("GET"), uri: bytes("/"), body: [],
            cnonce: bytes("c"))?.sent
        let verdict = session.answered(status: 200, fields: fields([("Authentication-Info", info)]), sent: sent)
        #expect(verdict == expected)
        #expect(session.isProven)
    }

    @Test func whereABodyIsDigestedTheProofIsNotChecked() {
        var session = DigestSession()
        _ = answer(&session, sent: nil, "Digest realm=\"r\", nonce=\"1\", qop=\"auth-int\"")
        let sent = session.authorization(
            username: bytes("u"), password: bytes("p"), method: bytes("GET"), uri: bytes("/"), body: [],
            cnonce: bytes("c"))?.sent
        #expect(sent == DigestSent(nonce: bytes("1")))
        let info = fields([("Authentication-Info", "rspauth=\"0\"")])
        #expect(session.answered(status: 200, fields: info, sent: sent) == .pass)
    }
}
