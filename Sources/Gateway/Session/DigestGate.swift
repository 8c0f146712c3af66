import Domain
import LoopKit

/// HTTP Digest of one session at run time. While nobody knows whether the password is right, one request tries it and the
/// others wait for its answer: a wrong password must not lock an account twelve times over.
final class DigestGate {
    private(set) var state = DigestSession()
    private unowned let book: SessionBook
    private unowned let worker: Worker
    /// The exchange that tries the password.
    private var prover: UInt64?
    private let line: SessionLine

    init(book: SessionBook, worker: Worker) {
        self.book = book
        self.worker = worker
        line = SessionLine(book: book, worker: worker, full: "wait for the login", late: "the login took too long")
    }

    /// What an exchange hears that wants to go; `nil`: go.
    func verdict(for id: UInt64, _ client: any SessionClient) -> SessionVerdict? {
        if let refusal = state.refusal { return .failed(refusal) }
        guard state.nonce != nil, !state.isProven, let prover, prover != id else { return nil }
        return line.join(id, client, mayLogIn: true)
    }

    func authorize(
        _ draft: RequestDraft, _ scope: ExchangeScope, _ plan: DigestPlan, id: UInt64
    ) throws(GatewayError) -> DigestSent? {
        let sent = try plan.authorize(draft, scope, &state, recipe: "session \(book.plan.name)")
        if state.nonce != nil, !state.isProven { prover = id }
        return sent
    }

    func answered(_ head: UpstreamHead, sent: DigestSent?, id: UInt64) -> DigestSession.Verdict {
        let verdict = state.answered(status: head.status, fields: head.fields, sent: sent)
        // One that has to try again keeps its turn.
        if prover == id, verdict != .replay { ended(id) }
        return verdict
    }

    /// The exchange is over, or its answer has told what it could.
    func ended(_ id: UInt64) {
        line.leave(id)
        guard prover == id else { return }
        prover = nil
        guard !line.isEmpty else { return }
        // Not from inside the exchange that ends: its own state must be settled first.
        worker.loop.atEndOfTick { [self] in release() }
    }

    func reset() {
        state.reset()
        prover = nil
        release()
    }

    /// Each asks again: the first may be the next to try, and then the others wait on.
    private func release() {
        for waiter in line.takeAll() {
            switch book.request(by: waiter.client, id: waiter.id, mayLogIn: waiter.mayLogIn) {
            case .ready(let credential): waiter.client.sessionReady(credential)
            case .failed(let error): waiter.client.sessionFailed(error)
            case .parked, .guest: break
            }
        }
    }
}
