import Bytes
import Domain
import HTTPWire
import LoopKit

/// Steps 5 and 6 of a request's path: a credential, a place, then the upstream's reachability.
extension Exchange: SessionClient, PlaceClient {
    /// The body is where it has to be: get a credential and go.
    func proceed() {
        guard let route else { return }
        stage = .parked
        guard let session = route.session, route.plan.login != .never else { return dispatch() }
        // The breaker first: while the upstream is away a login cannot succeed either, and the answer is `offline`.
        if let error = route.upstream.refusal() { return fail(error) }
        sessionAnswered(session.request(by: self, id: id, mayLogIn: route.plan.login == .required))
    }

    func sessionAnswered(_ verdict: SessionVerdict) {
        guard !isFinished else { return }
        switch verdict {
        case .ready(let credential): sessionReady(credential)
        case .guest: dispatch()
        // Who waits for a login must not hold a place meanwhile.
        case .parked: endTransfer()
        case .failed(let error): fail(error)
        }
    }

    func sessionReady(_ credential: CredentialSnapshot) {
        guard !isFinished else { return }
        guard replays.admits(generation: credential.generation) else {
            return fail(GatewayError(.internal, detail: "the session gave the credential that was just refused"))
        }
        self.credential = credential
        dispatch()
    }

    func sessionFailed(_ error: GatewayError) {
        guard !isFinished else { return }
        fail(error)
    }

    /// The credential was refused: a newer one, then the same request again.
    func replay(after verdict: CredentialVerdict, _ session: SessionBook, _ rejected: CredentialSnapshot) {
        discardAnswer()
        sessionAnswered(session.refused(verdict, rejected.generation, by: self, id: id))
    }

    /// The answer is not for the client: the request is to go out once more.
    func discardAnswer() {
        dropTransfer()
        answerHead = nil
        stage = .parked
    }

    /// A wait for a place was over: the credential may have died meanwhile, so it is asked for again.
    func placeGranted() {
        place = .held
        // HTTP Digest has one who asks for all others: it must not ask twice.
        guard credential != nil, let session = route?.session, route?.sessionPlan?.digest == nil else {
            return dispatch()
        }
        sessionAnswered(session.request(by: self, id: id, mayLogIn: route?.plan.login == .required))
    }

    func placeRefused(_ error: GatewayError) {
        place = .none
        fail(error)
    }

    /// A place comes before signature and credential are attached: neither may grow old in a queue.
    private func hasPlace(_ upstream: UpstreamHandle) -> Bool {
        if place == .held { return true }
        switch upstream.requestPlace(for: self, id, isFirst: attempts > 0) {
        case .go: place = .held
        case .wait: place = .waiting
        case .refuse: fail(upstream.noPlace("queue full"))
        }
        return place == .held
    }

    private func dispatch() {
        guard let route, let head, hasPlace(route.upstream) else { return }
        switch route.upstream.admit() {
        case .go(let ticket): self.ticket = ticket
        case .refuse(let error): return fail(error)
        }
        do {
            try send(head, route)
        } catch {
            // A credential that cannot be attached: the next request must not meet it again.
            if error.kind == .loginUnavailable, let credential {
                route.session?.note(.expired, credential.generation, by: self, id: id)
            }
            fail(error)
        }
    }

    /// Assembles, signs and starts the transfer. Every attempt is assembled anew from the client's own request.
    private func send(_ head: RequestHead, _ route: RouteRuntime) throws(GatewayError) {
        let draft = route.draft(of: head, content: content, remote: connection.remoteText)
        unframer?.mark(draft)
        let now = worker.upstreamTime(route.upstream)
        let scope: ExchangeScope
        if let existing = self.scope {
            scope = existing
            (scope.request, scope.response) = (draft, nil)
            scope.startAttempt(now: now)
        } else {
            scope = ExchangeScope(request: draft, now: now, surroundings: runtime.surroundings)
            self.scope = scope
        }
        scope.session = route.session == nil ? nil : credential
        scope.cookies = route.session?.cookies(for: credential)
        scope.dpopNonce = route.session?.dpopNonce
        try route.assembler.assemble(scope)
        if credential != nil, let plan = route.sessionPlan?.digest {
            digestSent = try route.session?.answerChallenge(draft, scope, plan, id: id)
        }
        framing = draft.framer.map { FramedBody($0) }
        attempts += 1
        sendOrder = worker.nextSendOrder()
        stage = .sending
        upstreamStarted = worker.loop.clock
        let request = UpstreamRequest(
            method: draft.method, target: draft.target, fields: draft.fields, body: draft.content.upstreamBody,
            isIdempotent: worker.upstreamMethod(head, route).isIdempotent,
            wantsFreshConnection: record.transportFailure != nil)
        if attempts == 1 { route.upstream.retryBudget.requestSent(now: worker.loop.now) }
        transfer = route.upstream.transport.start(request, delegate: self)
    }

    /// What the client's body is, as far as it has come.
    var content: RequestDraft.Content {
        switch bodyMode {
        case .held: held.isEmpty && head?.framing == BodyFraming.none ? .none : .held(held)
        case .streamed:
            head?.framing == BodyFraming.none
                ? .none : .streamed(count: unframer.map(\.declared) ?? connection.body.declared)
        }
    }
}

extension RequestDraft.Content {
    /// An empty held body is sent as an explicit zero length: the client's framing said so too.
    var upstreamBody: UpstreamRequest.Body {
        switch self {
        case .none: .none
        case .held(let bytes): .bytes(bytes)
        case .streamed(let count): .stream(count: count)
        }
    }
}
