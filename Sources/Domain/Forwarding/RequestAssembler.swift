import Bytes
import Expressions
package import HTTPWire
import JSONBytes
import XMLBytes

/// Turns what the client sent into what goes upstream, in one fixed order: owned fields are dropped, the path is rewritten,
/// the fields are brought into the upstream's shape, common fields and the session are attached, the body is framed, the
/// signature is attached. Then nothing more.
package struct RequestAssembler {
    package let route: RoutePlan
    package let session: SessionPlan?
    package let owned: OwnedFields
    /// Path prefix of the upstream, without a trailing slash.
    package let basePath: [UInt8]
    /// Common fields of the upstream, without those that the route or the session sets itself.
    private let common: AttachPlan
    /// How messages call where a field comes from; made once, not with every request.
    private let titles: (upstream: String, route: String, session: String)
    /// `Content-Type` is the gateway's.
    private let ownsType: Bool
    /// An answer will be looked into, so no coding may hide it (peers 68).
    package let asksForIdentity: Bool
    /// What must be known of the body before the request can go out.
    package let bodyNeed: BodyNeed
    /// The body is taken apart, into fields or values.
    package let parsesBody: Bool
    /// For each expression of the rewrite: it gives text of the path as it was written.
    private let isWritten: [Bool]
    /// A recipe reads what the client sent, which may be dropped by then.
    private let keepsOriginal: Bool
    /// Fields within the body are added, dropped or transformed, whatever its type.
    private let changesFields: Bool

    package init(route: RoutePlan, session: SessionPlan?, upstream: UpstreamPlan) {
        self.route = route
        self.session = session
        basePath = upstream.basePath
        titles = ("upstream \(upstream.name)", "route \(route.name)", "session \(session?.name ?? "")")
        isWritten = route.rewrite?.expressions.map(\.givesWrittenPath) ?? []
        var plans = [route.attach, session?.attach ?? AttachPlan()] + route.signatures.map(\.attach)
        common = upstream.attach.yielding(to: plans)
        changesFields = plans.contains(where: \.touchesFields) || route.shape?.needsBody ?? false
        plans.insert(common, at: 0)
        var builtInNames = route.signatures.flatMap(\.builtIns).flatMap(\.owned)
        if session?.dpop != nil { builtInNames.append(OwnedName(.header, DPoPSigner.fieldName)) }
        // A part of an envelope cannot be read, and a part of the upstream's body is none of the client's (RFC 9110 14.2: any
        // server may ignore `Range`). Nor is a part signed as the whole is.
        if route.envelope?.makesBodies == true || !route.verifying.isEmpty {
            builtInNames += ["Range", "If-Range"].map { OwnedName(.header, Array($0.utf8)) }
        }
        owned = OwnedFields(plans, builtInNames)
        keepsOriginal = Self.references(route, plans).union(Self.answerReferences(route, session)).contains {
            $0.mayReadOriginal
        }
        ownsType = OwnedFields.contains(owned.headers, Array("content-type".utf8).span, folding: true)
        let inspects =
            route.envelope != nil || route.sessionEnvelope != nil || (session?.expiredReadsBody ?? false)
            || route.signatures.contains(where: \.readsAnswerBody)
            || session?.update?.captures.contains { $0.value.references.contains(where: \.readsResponseBody) } ?? false
        asksForIdentity = inspects
        let needsBody =
            changesFields || common.touchesFields || route.rewrite?.readsBody ?? false
            || plans.contains { $0.readsBody } || Self.answerReferences(route, session).contains { $0.readsRequestBody }
        parsesBody =
            changesFields || common.touchesFields || route.rewrite?.parsesBody ?? false
            || plans.contains { $0.fields.contains { $0.value.parsesBody } }
            || route.signatures.contains { $0.parsesBody }
            || Self.answerReferences(route, session).contains { $0.parsesRequestBody }
        bodyNeed = needsBody ? .whole : route.signatures.map(\.bodyNeed).max() ?? .nothing
    }

    /// What is looked at when the answer is there: by then the body must not be gone.
    private static func answerReferences(_ route: RoutePlan, _ session: SessionPlan?) -> Set<Reference> {
        var tests = [session?.expired, session?.taken?.when] + (session?.update?.captures.map(\.value) ?? [])
        tests += route.signatures.flatMap { [$0.clockRefused, $0.echo] }
        let read = (route.envelope?.references ?? []).union(route.sessionEnvelope?.references ?? [])
        return tests.reduce(into: read) { $0.formUnion($1?.references ?? []) }
    }

    /// Of all that makes the request or judges its answer.
    private static func references(_ route: RoutePlan, _ plans: [AttachPlan]) -> Set<Reference> {
        var all = route.rewrite?.references ?? []
        for field in plans.flatMap(\.fields) { all.formUnion(field.value.references) }
        for transform in route.shape?.transforms ?? [] { all.formUnion(transform.value.references) }
        for signature in route.signatures { all.formUnion(signature.references) }
        return all
    }

    /// What takes off the client's own frame, where a signature of this route makes it worthless; `nil`: the body is content.
    /// - Throws: `.badRequest` when the head announces a frame that cannot be.
    package func unframer(of head: RequestHead) throws(GatewayError) -> AWSUnframer? {
        for signature in route.signatures {
            for signer in signature.builtIns {
                guard let unframer = try signer.unframer(of: head.fields) else { continue }
                guard head.framing != .none else {
                    throw GatewayError.badRequest("the request announces aws-chunked content and has none")
                }
                return unframer
            }
        }
        return nil
    }

    /// Works on the scope's request until it is what will be sent. Call it on a fresh draft for every attempt.
    package func assemble(_ scope: ExchangeScope) throws(GatewayError) {
        let draft = scope.request
        settleKind(of: draft)
        if changesFields || common.fitting(draft).touchesFields {
            guard !draft.isCoded else {
                // Undoing a coding unasked is no business of a proxy, and a small body could become a large one.
                throw GatewayError(
                    .badRequest, detail: "this route changes fields of the body: send it without Content-Encoding",
                    status: 415)
            }
            try BodyRule.check(draft, owned)
        }
        if keepsOriginal { draft.keepOriginal { hidesFromRecipes($0) } }
        dropOwned(draft)
        let query = draft.query
        if route.shape?.source == .query { draft.query = nil }
        try rewrite(draft, scope)
        if route.shape?.dropsQuery == true, route.rewrite == nil { draft.query = nil }
        if let shape = route.shape {
            // A field that the client put elsewhere may come where the gateway's own belongs: it is dropped there too.
            let shaper = Shaper(plan: shape, limit: route.limits.body, ownedQuery: owned.query)
            try shaper.apply(to: draft, query: query, scope)
            owned.dropFromBody(of: draft)
        }
        try attach(common.fitting(draft), to: draft, scope, recipe: titles.upstream)
        try attach(route.attach, to: draft, scope, recipe: titles.route)
        if let session, scope.session != nil {
            if session.keepsCookies { scope.cookies?.attach(to: draft, wall: scope.now.seconds) }
            try attachSession(session, to: draft, scope)
        }
        if asksForIdentity {
            draft.fields.append(name: Self.acceptEncoding, value: Self.identity)
        }
        try Signer.sign(draft, with: route.signatures, scope)
        if let session, let dpop = session.dpop, scope.session != nil {
            try dpop.sign(draft, scope, bindsToken: true, recipe: titles.session)
        }
    }

    /// What the route's `request.from` says of the body counts more than its label.
    func settleKind(of draft: RequestDraft) {
        if let source = route.shape?.source { draft.declare(source, owned) }
    }

    /// Beside a session's credential the client's own is nobody's business.
    private func hidesFromRecipes(_ name: Span<UInt8>) -> Bool {
        session != nil && SensitiveFields.isClientCredential(name)
    }

    private static let acceptEncoding = Array("Accept-Encoding".utf8)
    private static let identity = Array("identity".utf8)

    /// Client fields that must not reach the upstream, in one pass: owned ones, and what a session replaces. Hop-by-hop
    /// fields are gone already (the client's set is stripped before ours is added, traefik PR 8319).
    func dropOwned(_ draft: RequestDraft) {
        if ownsType { draft.keepType() }
        let hasSession = session != nil
        draft.fields.removeAll { block, index in
            let name = block.name(at: index)
            if hasSession, SensitiveFields.isClientCredential(name.span) { return true }
            if asksForIdentity, ASCII.equalFolded(name.span, Self.acceptEncoding.span) { return true }
            return OwnedFields.contains(owned.headers, name.span, folding: true)
        }
        if !owned.cookies.isEmpty, !hasSession { CookieText.drop(owned.cookies, from: draft) }
        owned.dropPairs(from: draft)
    }

    /// The rewritten target, then the client's own query after it.
    private func rewrite(_ draft: RequestDraft, _ scope: ExchangeScope) throws(GatewayError) {
        if let rewrite = route.rewrite {
            let target = try rewritten(rewrite, scope)
            let mark = target.firstIndex(of: 0x3F)
            draft.path = Array(target[..<(mark ?? target.count)])
            var query = mark.map { Array(target[($0 + 1)...]) }
            let isDropped = route.shape?.dropsQuery == true
            if !isDropped, let own = draft.query, let kept = ownQuery(own, after: query), !kept.isEmpty {
                if query?.isEmpty == false { query?.append(0x26) }
                query = (query ?? []) + kept
            }
            draft.query = query
            scope.trace?.rewritten = draft.target
        }
        if !basePath.isEmpty { draft.path = basePath + draft.path }
    }

    /// A credential that cannot be attached is a login that went wrong, not a request that did.
    private func attachSession(
        _ session: SessionPlan, to draft: RequestDraft, _ scope: ExchangeScope
    ) throws(GatewayError) {
        do {
            try attach(session.attach, to: draft, scope, recipe: titles.session)
        } catch {
            throw error.kind == .internal ? GatewayError(.loginUnavailable, detail: error.detail) : error
        }
    }

    /// The target that a rewrite gives. What an expression adds is data and encoded for its place, so that no client can put
    /// a parameter, a query or another segment where the config has one segment; only what was written as a path stays one.
    /// What comes out keeps to the rule for what comes in (`PathRule`).
    private func rewritten(_ rewrite: Template, _ scope: ExchangeScope) throws(GatewayError) -> [UInt8] {
        var target: [UInt8] = []
        do {
            try rewrite.append(to: &target, scope) { text, index, target in
                if target.contains(0x3F) {
                    Percent.encode(text.span, into: &target)
                } else if isWritten[index] {
                    Percent.encodePath(text.span, into: &target)
                } else {
                    Percent.encodeSegment(text.span, into: &target)
                }
                return true
            }
        } catch {
            guard error.kind == .indexOutOfRange else {
                throw GatewayError.recipe(
                    "rewrite of route \(route.name)", error, using: rewrite.references,
                    failed: rewrite.names(behind: error))
            }
            throw GatewayError(.notFound, detail: "rewrite of route \(route.name): the path has too few segments")
        }
        if let problem = Self.problem(with: target) {
            throw GatewayError.badRequest("rewrite of route \(route.name) gives no valid path: \(problem)")
        }
        do {
            try PathRule.check(target.span)
        } catch {
            throw GatewayError.badRequest(
                "rewrite of route \(route.name) gives no valid path: \(error.reason.rawValue)")
        }
        return target
    }

    private static func problem(with target: [UInt8]) -> String? {
        guard let first = target.first else { return "it is empty" }
        guard first == 0x2F else { return "it does not begin with `/`" }
        if target.contains(0x23) { return "there is a `#` in it" }
        return target.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? nil : "there is a blank or a character beyond ASCII in it"
    }

    /// The client's own query without the names that the rewrite sets: many servers let the last one win.
    private func ownQuery(_ own: [UInt8], after query: [UInt8]?) -> [UInt8]? {
        guard let query, !query.isEmpty else { return own }
        let pairs = Percent.pairs(query.span)
        let names = (0..<pairs.count).map { Array(pairs.name(at: $0)) }
        return PairText.dropping(OwnedNames(names), from: own.span) ?? own
    }

    private func attach(
        _ plan: AttachPlan, to draft: RequestDraft, _ scope: ExchangeScope, recipe: String
    ) throws(GatewayError) {
        guard !plan.isEmpty else { return }
        try Attacher.attach(plan, to: draft, scope, recipe: recipe)
    }
}

extension Template {
    /// Looks at the body of the request (its form, JSON or bytes).
    var readsBody: Bool { references.contains { $0.readsRequestBody } }
    var parsesBody: Bool { references.contains { $0.parsesRequestBody } }
}

extension Expression {
    /// The text is made of the request's path as it was written (and of its method, and of what the config says): escapes in
    /// it are escapes, slashes are slashes. Everything else is decoded.
    var givesWrittenPath: Bool {
        // Slashes are asked for, and whatever could be more than a path is an escape.
        if outermost == "url.encodePath" { return true }
        let written = [
            Reference("request", "path"), Reference("request", "method"), Reference("request.original", "path"),
        ]
        return references.allSatisfy { written.contains($0) }
            && !functions.contains { $0.contains("decode") }
    }
}

extension Reference {
    /// `request` as a whole counts too: what is done with it is not known.
    package var readsRequestBody: Bool {
        switch name {
        case "request": member.map { ["form", "json", "body", "parts"].contains($0) } ?? true
        case "request.original": member == "form" || member == "json"
        default: false
        }
    }
    /// `request.original` may be looked at, whatever for.
    package var mayReadOriginal: Bool {
        name == "request.original" || name == "request" && (member == nil || member == "original")
    }
    /// The body is not only read but taken apart.
    package var parsesRequestBody: Bool { readsRequestBody && member != "body" }
    /// The body of an answer is looked at.
    package var readsResponseBody: Bool {
        name == "json" || name == "text" || name == "xml"
            || (name == "response" && (member.map { ["json", "text", "xml", "body"].contains($0) } ?? true))
    }
}

extension AttachPlan {
    /// Fields of this plan belong into the body.
    var touchesFields: Bool { touches(.form) || touches(.json) || touches(.xml) }
    /// A template of this plan looks at the request's body.
    var readsBody: Bool { fields.contains { $0.value.readsBody } }
}
