import Bytes
import Expressions
import HTTPWire
import JSONBytes

/// The course of one login: which request comes next, and what its answer means. Values carry over from step to step as
/// `session.NAME`, cookies in a jar. A refresh is tried first where one is possible; when the upstream refuses it, the
/// full login follows.
package struct LoginRun {
    package enum Verdict {
        case next
        /// The same step again after so many nanoseconds. The error says what a person has to do meanwhile.
        case wait(UInt64, GatewayError)
        case succeeded(CredentialGrant)
        /// The upstream says that user, password or key are wrong, or a person has to act.
        case refused(GatewayError)
        case failed(GatewayError)
    }

    private enum Phase { case refresh, login }

    let plan: SessionPlan
    private var phase: Phase
    private var step = 0
    private var polling = LoginPolling()
    private let answer: [UInt8]?
    let captures: MemberList
    package private(set) var jar: CookieJar

    /// - Parameter start: What the session had before, and what a person told.
    package init(plan: SessionPlan, start: LoginStart = LoginStart()) {
        self.plan = plan
        answer = start.answer
        let old = start.captures
        let mayRefresh =
            !plan.renewal.refresh.isEmpty && start.answer == nil
            && plan.renewal.refreshNeeds.allSatisfy { old.indices.contains($0) && !old[$0].isNull }
            && old.count == plan.captureNames.count
        phase = mayRefresh ? .refresh : .login
        jar = mayRefresh ? start.jar?.copy() ?? CookieJar() : CookieJar()
        captures = MemberList(
            mayRefresh ? old.map(\.value) : Self.blank(plan), what: "the login has not captured it yet")
        if mayRefresh {
            for slot in specialSlots { captures.set(.null, at: slot) }
        } else {
            setAnswer()
        }
    }

    package static var emptyDraft: RequestDraft {
        RequestDraft(
            method: Array("GET".utf8), path: [0x2F], query: nil, fields: PairBlock(), content: .none, host: [],
            remote: [])
    }

    /// Nothing can be sent before a person acts.
    package var blocked: GatewayError? {
        guard phase == .login, let human = plan.renewal.human, answer == nil else { return nil }
        return GatewayError(.loginRequired, detail: human)
    }

    /// The full login is over before it began: a person gave all there is (no steps).
    package var isComplete: Bool { step == steps.count }

    /// Index of the upstream that the current step talks to.
    package var upstream: Int { steps.indices.contains(step) ? steps[step].upstream ?? plan.upstream : plan.upstream }

    private var steps: [LoginStep] { phase == .refresh ? plan.renewal.refresh : plan.login }

    private var specialSlots: [Int] {
        plan.captureNames.indices.filter { CredentialExpiry.isSpecial(plan.captureNames[$0]) }
    }

    private static func blank(_ plan: SessionPlan) -> [Value] {
        Array(repeating: .null, count: plan.captureNames.count)
    }

    private func setAnswer() {
        if let slot = plan.renewal.humanSlot, let answer { captures.set(.text(answer), at: slot) }
    }

    /// The request of the current step, signed.
    package func nextRequest(_ scope: ExchangeScope, upstream: UpstreamPlan) throws(GatewayError) -> UpstreamRequest {
        let draft = try LoginRequest.draft(
            steps[step], scope, session: plan, upstream: upstream, captures: captures, jar: jar, place: place)
        return UpstreamRequest(
            method: draft.method, target: draft.target, fields: draft.fields, body: body(of: draft),
            isIdempotent: false)
    }

    private func body(of draft: RequestDraft) -> UpstreamRequest.Body {
        if case .held(let bytes) = draft.content { .bytes(bytes) } else { .none }
    }

    /// Judges the answer of the current step: not yet, refused, then success, then captures.
    package mutating func answered(
        _ head: UpstreamHead, body: [UInt8], _ scope: ExchangeScope, wall: Int64
    ) -> Verdict {
        scope.cookies?.store(head.fields, scope.request, wall: scope.now.seconds)
        do {
            let recipe = steps[step]
            try show(head, body, scope)
            if let wait = try polling.wait(recipe, scope, wall: wall) { return wait }
            polling = LoginPolling()
            try judge(recipe, head, scope)
        } catch {
            return ended(by: error)
        }
        guard isComplete else { return .next }
        return .succeeded(grant(wall: wall))
    }

    /// What there is now, as a credential.
    package func grant(wall: Int64) -> CredentialGrant {
        CredentialExpiry.grant(
            captures: captures.values, names: plan.captureNames, wall: wall,
            cookies: plan.keepsCookies ? jar.values : [])
    }

    private mutating func ended(by error: GatewayError) -> Verdict {
        switch error.kind {
        case .loginRefused where phase == .refresh: return fallBack(error)
        case .loginRefused, .loginRequired: return .refused(error)
        default: return .failed(error)
        }
    }

    /// RFC 6749 5.2 `invalid_grant`: the refresh token is dead. Who can, logs in anew.
    private mutating func fallBack(_ error: GatewayError) -> Verdict {
        guard !plan.login.isEmpty || plan.renewal.human != nil else {
            return .refused(
                GatewayError(
                    .loginRequired, detail: "the upstream no longer accepts the refresh token of \(plan.name)"))
        }
        (phase, step, polling, jar) = (.login, 0, LoginPolling(), CookieJar())
        for slot in plan.captureNames.indices { captures.set(.null, at: slot) }
        setAnswer()
        if let blocked { return .refused(blocked) }
        return .next
    }

    private var place: String {
        switch phase {
        case .refresh: steps.count > 1 ? "refresh step \(step + 1)" : "refresh"
        case .login: steps.count > 1 ? "login step \(step + 1)" : "login"
        }
    }

    private func show(_ head: UpstreamHead, _ body: [UInt8], _ scope: ExchangeScope) throws(GatewayError) {
        let view = ResponseView(status: head.status, fields: head.fields, body: body)
        try view.narrow(by: nil)
        scope.response = view
        scope.session = captures
    }

    private mutating func judge(
        _ recipe: LoginStep, _ head: UpstreamHead, _ scope: ExchangeScope
    ) throws(GatewayError) {
        if let refused = recipe.refused, refused.holds(scope) {
            // Where a person approves a login, a refusal means that they did not: they may try again.
            throw GatewayError(
                recipe.human == nil ? .loginRefused : .loginRequired,
                detail: "\(place): the upstream refused the credentials")
        }
        guard recipe.success?.holds(scope) ?? (200..<300 ~= head.status) else {
            // A captive portal or a broken page is not a session: nothing is stored.
            throw GatewayError(
                .loginUnavailable, detail: "\(place): the answer (status \(head.status)) is no success by the recipe")
        }
        if let fault = recipe.faults.first(where: { $0.test.holds(scope) }) {
            throw GatewayError(.loginUnavailable, detail: "\(place): \(fault.reason)")
        }
        // Which of two tokens is meant, nobody can know: a duplicate is a fault, or an attempt to smuggle one in.
        if !recipe.captures.isEmpty, let root = try? scope.response?.json(), root.document.hasDuplicateMember {
            throw GatewayError(.badAnswer, detail: "\(place): the JSON of the answer names a member twice")
        }
        for capture in recipe.captures {
            let value = try value(of: capture, scope)
            // RFC 6749 6: a refresh that brings no new refresh token leaves the old one in force.
            if phase == .refresh, value.isAbsent, !captures.values[capture.slot].isAbsent { continue }
            captures.set(value, at: capture.slot)
        }
        step += 1
    }

    private func value(of capture: LoginStep.Capture, _ scope: ExchangeScope) throws(GatewayError) -> Value {
        let value: Value
        do {
            value = try capture.value.evaluate(scope)
        } catch {
            throw GatewayError(.badAnswer, detail: "\(place), capture \(plan.captureNames[capture.slot]): \(error)")
        }
        if case .optional(let inner) = value { return inner ?? .null }
        // `{"token": null}` under a success is no token. What no request carries may be missing.
        let name = plan.captureNames[capture.slot]
        guard phase == .refresh || !isAttached(name) || !isEmpty(value) else {
            throw GatewayError(.badAnswer, detail: "\(place), capture \(name): nothing there")
        }
        return value
    }

    private func isAttached(_ name: String) -> Bool {
        plan.attach.fields.contains { $0.value.references.contains(Reference("session", name)) }
    }

    private func isEmpty(_ value: Value) -> Bool { value.isAbsent || value.contents?.isEmpty == true }
}

/// What a login starts from.
package struct LoginStart {
    /// Of the last credential, whatever became of it: its refresh token may still serve.
    package var captures: [CapturedValue]
    package var jar: CookieJar?
    /// What a person answered to `human:`.
    package var answer: [UInt8]?

    package init(captures: [CapturedValue] = [], jar: CookieJar? = nil, answer: [UInt8]? = nil) {
        self.captures = captures
        self.jar = jar
        self.answer = answer
    }
}
