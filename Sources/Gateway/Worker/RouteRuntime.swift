import Bytes
import Domain
import Expressions
import HTTPWire

/// One route with what it needs at run time.
final class RouteRuntime {
    /// Bodies up to this are held whole even where nothing asks for it: one write to the upstream, and a retry is possible.
    static let smallBody = 64 * 1024

    let index: Int
    let plan: RoutePlan
    let upstream: UpstreamHandle
    let session: SessionBook?
    let assembler: RequestAssembler
    /// Answers are put into another envelope than the upstream's.
    let rendersEnvelope: Bool
    let metrics: RouteMetrics
    /// `Host` of the upstream.
    private let authority: [UInt8]

    init(index: Int, plan: RoutePlan, upstream: UpstreamHandle, session: SessionBook?, metrics: RouteMetrics) {
        self.metrics = metrics
        authority = Array(upstream.plan.authority.utf8)
        self.index = index
        self.plan = plan
        self.upstream = upstream
        self.session = session
        assembler = RequestAssembler(route: plan, session: session?.plan, basePath: upstream.plan.basePath)
        rendersEnvelope = plan.envelope.map { if case .same = $0.target { false } else { true } } ?? false
    }

    /// How a request body travels on this route.
    func bodyMode(for head: RequestHead) -> Exchange.BodyMode {
        if assembler.needsBody { return .held(limit: Int(clamping: plan.limits.body), mustHold: true) }
        let keeps = session != nil && plan.relogin && plan.login != .never && session?.plan.hasLogin == true
        switch head.framing {
        case .none: return .streamed
        case .length(let count):
            if keeps, count <= plan.limits.replay { return .held(limit: plan.limits.replay, mustHold: false) }
            return count <= Self.smallBody ? .held(limit: Self.smallBody, mustHold: false) : .streamed
        case .chunked: return keeps ? .held(limit: plan.limits.replay, mustHold: false) : .streamed
        }
    }

    /// The client's request, ready to be edited: hop-by-hop fields are gone.
    func draft(of head: RequestHead, content: RequestDraft.Content, remote: [UInt8]) -> RequestDraft {
        plan.draft(of: head, content: content, authority: authority, remote: remote)
    }

    /// The answer's body must be seen whole before anything is told to the client.
    func inspects(_ head: UpstreamHead, hasCredential: Bool) -> Bool {
        let expiry = hasCredential && (session?.plan.expiredReadsBody ?? false)
        guard rendersEnvelope || expiry else { return false }
        let type = head.fields.first("content-type", folding: true)
        // A file is no envelope; it streams.
        if let type, MediaType.isDownload(type) { return false }
        if rendersEnvelope { return true }
        // A stream has no end to wait for; a body above the limit cannot be looked into.
        if let count = head.contentLength, count > UInt64(plan.limits.inspect) { return false }
        guard let type else { return true }
        return !type.starts(with: Self.eventStream)
    }

    private static let eventStream = Array("text/event-stream".utf8)
}
