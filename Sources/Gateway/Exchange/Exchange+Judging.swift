import Domain
import Expressions
import HTTPWire
import LoopKit

/// What an answer says about the credential and the signatures of its request.
struct AnswerMeaning {
    /// The credential served: nothing says that it was refused.
    var hasServed = false
    var verdict: CredentialVerdict?
    var brought: CredentialUpdate?
    var signature: SignatureAnswer?
}

/// Step 10: what the answer means. The head is asked first: where it decides, nothing is held, and the answer streams.
extension Exchange {
    /// An expiry can be acted on: the request went out with a credential of a session that logs in.
    private var mayRelogin: Bool {
        route?.plan.relogin == true && credential != nil && route?.sessionPlan?.hasLogin == true
    }

    /// What every test says, by as much of the answer as is here.
    func meaning(of head: UpstreamHead) throws(Undecided) -> AnswerMeaning {
        var meaning = AnswerMeaning()
        guard let route, let scope else { return meaning }
        let session = credential == nil ? nil : route.sessionPlan
        guard session != nil || route.readsSignatureAnswers else { return meaning }
        if scope.response == nil { scope.response = ResponseView(awaiting: head, to: scope.request) }
        if let session, mayRelogin || session.update != nil {
            meaning.verdict = try session.verdict(on: head.status, scope)
            meaning.hasServed = meaning.verdict == nil
            // What comes with a refusal is no credential.
            if meaning.verdict == nil {
                meaning.brought = try session.update?.evaluate(
                    scope, wall: worker.loop.wall.seconds, ahead: route.upstream.clock.seconds)
            }
        } else if let session, session.hasLogin {
            meaning.hasServed = hasServed(session, head, scope)
        }
        if route.readsSignatureAnswers {
            meaning.signature = try SignatureAnswer(route.plan.signatures, scope, head.fields)
        }
        // A server that fails, or does not get beyond the time, says nothing about the credential.
        if head.status >= 500 || meaning.signature?.refusedTime != nil { meaning.hasServed = false }
        return meaning
    }

    /// Where nobody acts on an expiry (`relogin: false`), no answer is held for it.
    private func hasServed(_ session: SessionPlan, _ head: UpstreamHead, _ scope: ExchangeScope) -> Bool {
        do { return try session.verdict(on: head.status, scope) == nil } catch { return false }
    }

    /// The same once nothing more of the answer is awaited.
    private func lastMeaning(of head: UpstreamHead) -> AnswerMeaning {
        // Undecided is only what is awaited.
        (try? meaning(of: head)) ?? AnswerMeaning()
    }

    /// The whole answer is here.
    func judge() {
        guard let route, let head = answerHead, let scope else { return }
        if !route.verifying.isEmpty, !isTaken(head, body: inspected) { return }
        // Where an envelope is made of it, nobody has asked the head yet. Unless a test looks for the body it decides, and then
        // the body is taken apart only for the envelope.
        let asksHead = scope.response == nil && route.sessionPlan?.expiredReadsBody != true
        var meaning = asksHead ? try? meaning(of: head) : nil
        let view = scope.response ?? ResponseView(awaiting: head, to: scope.request)
        scope.response = view
        view.receive(inspected)
        if meaning == nil {
            decode(view, route, scope)
            meaning = lastMeaning(of: head)
        }
        if let meaning { act(on: meaning) }
    }

    /// For the tests of the session and of the signatures.
    private func decode(_ view: ResponseView, _ route: RouteRuntime, _ scope: ExchangeScope) {
        let limit = Int(clamping: route.plan.limits.inspect)
        guard let envelope = route.plan.sessionEnvelope else {
            // An answer that cannot be decoded only hides its expiry; an envelope says so itself.
            try? view.decode(for: route.plan.envelope?.from, limit: limit)
            return
        }
        if let fault = envelope.open(scope, limit: limit) { worker.envelopeErred([fault], envelope, route) }
    }

    /// The body decides and cannot be looked into: what reads it says nothing.
    func judgeWithoutBody() {
        guard let head = answerHead else { return }
        scope?.response?.close("the body is not looked into")
        act(on: lastMeaning(of: head))
    }

    /// Replays the request, or hands the answer on.
    func act(on meaning: AnswerMeaning) {
        if let credential, let session = route?.session {
            if meaning.hasServed { session.served(credential.generation) }
            if let brought = meaning.brought {
                absorbed = brought.changes.compactMap { $0.value.value.contents.map { Array($0) } }
                session.absorb(brought, sentUnder: credential.generation, order: sendOrder)
            }
        }
        if let signature = meaning.signature, isSignedAnew(signature) { return }
        if mayRelogin, let verdict = meaning.verdict { return credentialRefused(verdict) }
        handOn()
    }

    private func credentialRefused(_ verdict: CredentialVerdict) {
        guard let session = route?.session, let rejected = credential else { return }
        record.sawExpiry = true
        let objection = verdict == .expired ? session.objection(toRenewalAfter: rejected.generation) : nil
        switch replays.credentialRefused(
            generation: rejected.generation, isReplayable: isReplayable, objection: objection)
        {
        case .replay:
            if let route { worker.metrics.replayed(route) }
            replay(after: verdict, session, rejected)
        case .passOn(let reason):
            // The next one must not meet a dead session. After three refusals in a row it is rather the call.
            if reason == .bodyTooLarge || verdict != .expired {
                session.note(verdict, rejected.generation, by: self, id: id)
            }
            handOn(refusal: reason)
        }
    }

    private func handOn(refusal: ReplayLedger.Reason? = nil) {
        stage == .inspecting ? deliverInspected(refusal: refusal) : beginForwarding(answerHead, refusal: refusal)
    }

    /// The request can be made again: its body is still here.
    var isReplayable: Bool {
        if case .held = bodyMode { return true }
        return head?.framing == BodyFraming.none
    }
}
