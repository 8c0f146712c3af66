import Bytes
import Domain
import Expressions
import HTTPWire

/// One route with what it needs at run time.
final class RouteRuntime {
    /// Bodies up to this, and up to the route's limit `replay`, are held whole even where nothing asks for it: one write to
    /// the upstream, and a retry is possible.
    static let smallBody = 64 * 1024

    let index: Int
    let plan: RoutePlan
    let upstream: UpstreamHandle
    let session: SessionBook?
    /// The session as this plan has it: exchanges under way go on by it after a reload, the session itself by the new one.
    let sessionPlan: SessionPlan?
    let answerGuard: AnswerGuard?
    let assembler: RequestAssembler
    /// Answers are put into another envelope than the upstream's.
    let rendersEnvelope: Bool
    /// Envelopes that say whether an answer is the upstream's own: it is held whole until they have.
    let verifying: [EnvelopePlan]
    /// Request bodies are kept, up to the limit `replay`: a new login, a challenge or the upstream's clock may ask for the
    /// same request again.
    let keepsBodies: Bool
    /// A signature looks at answers: for the upstream's time or its string to sign.
    let readsSignatureAnswers: Bool
    let metrics: RouteMetrics
    /// Parts of the envelope whose errors the log has told.
    var toldFaults: Set<EnvelopeFault.Part> = []
    /// `Host` of the upstream.
    private let authority: [UInt8]

    init(index: Int, plan: RoutePlan, upstream: UpstreamHandle, session: SessionBook?, metrics: RouteMetrics) {
        self.metrics = metrics
        authority = Array(upstream.plan.authority.utf8)
        self.index = index
        self.plan = plan
        self.upstream = upstream
        self.session = session
        sessionPlan = session?.plan
        let places = CredentialSources(route: plan, session: sessionPlan, upstream: upstream.plan)
        answerGuard = AnswerGuard(places, sessionPlan)
        assembler = RequestAssembler(route: plan, session: sessionPlan, upstream: upstream.plan)
        readsSignatureAnswers = plan.signatures.contains { $0.clockRefused != nil || $0.echo != nil }
        rendersEnvelope = plan.envelope?.makesBodies ?? false
        verifying = plan.verifying
        let relogs = sessionPlan?.hasLogin == true && plan.relogin
        // A challenge may come at any time, and its answer is the same request again.
        let isChallenged = sessionPlan.map { $0.digest != nil || $0.dpop != nil } ?? false
        keepsBodies =
            (relogs || isChallenged) && plan.login != .never || plan.signatures.contains { $0.clockRefused != nil }
    }

    /// How a request body travels on this route.
    func bodyMode(for head: RequestHead, _ unframer: AWSUnframer?) -> Exchange.BodyMode {
        let framing = unframer?.framing ?? head.framing
        if unframer?.mustHold == true || mustHold(head, framing) {
            return .held(limit: Int(clamping: plan.limits.body), mustHold: true)
        }
        let limit = keepsBodies ? plan.limits.replay : min(plan.limits.replay, Self.smallBody)
        switch framing {
        case .none: return .streamed
        case .length(let count): return count <= limit ? .held(limit: limit, mustHold: false) : .streamed
        case .chunked: return keepsBodies ? .held(limit: limit, mustHold: false) : .streamed
        }
    }

    private func mustHold(_ head: RequestHead, _ framing: BodyFraming) -> Bool {
        switch assembler.bodyNeed {
        case .nothing: false
        case .length: framing == .chunked
        case .form: head.fields.first("content-type", folding: true).map { MediaType.isForm($0) } ?? false
        case .whole: true
        }
    }

    /// The client's request, ready to be edited: hop-by-hop fields are gone.
    func draft(of head: RequestHead, content: RequestDraft.Content, remote: [UInt8]) -> RequestDraft {
        let draft = plan.draft(
            of: head, content: content, authority: authority, remote: remote)
        draft.isSecure = upstream.plan.scheme == .https
        return draft
    }

    /// The answer is put into another envelope.
    func renders(_ head: UpstreamHead) -> Bool {
        guard rendersEnvelope else { return false }
        return plan.envelope?.tells(status: head.status, fields: head.fields) ?? false
    }

    /// An answer that cannot be held whole is an error.
    func mustHoldWhole(_ head: UpstreamHead) -> Bool { !verifying.isEmpty || renders(head) }

    /// For an envelope.
    var wholeInspection: Inspection { Inspection(limit: Int(clamping: plan.limits.inspect)) }

    /// How much of the answer is looked into where its body decides about credential or signature; `nil`: nothing.
    func inspection(of head: UpstreamHead) -> Inspection? {
        let type = head.fields.first("content-type", folding: true)
        // A stream has no end to wait for; a part of a file comes to those who may have the whole.
        if head.status == 206 || MediaType.isStream(type) { return nil }
        let isFile = MediaType.isDownload(type) || MediaType.isAttachment(head.fields)
        let whole = wholeInspection
        let inspection = isFile ? Inspection(file: head.contentLength, limit: whole.limit) : whole
        // A body above the limit cannot be looked into.
        if let count = head.contentLength, count > UInt64(inspection.limit) { return nil }
        return inspection
    }
}
