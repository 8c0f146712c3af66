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
        /// `wait`: not before so many nanoseconds, when the upstream told. `isDoubtful`: for all that the recipe says, the
        /// answer may mean wrong credentials.
        case failed(GatewayError, wait: UInt64?, isDoubtful: Bool)
    }

    private enum Phase { case refresh, login, logout }

    package let plan: SessionPlan
    private var phase: Phase
    private var step = 0
    private var polling = LoginPolling()
    /// The step that a person has answered for.
    private var answeredStep: Int?
    /// The step was signed again after its time was refused.
    private var hasResigned = false
    private var toldWait: UInt64?
    private let start: LoginStart
    let captures: MemberList
    package private(set) var jar: CookieJar

    /// - Parameter start: What the session had before, and what a person told.
    package init(plan: SessionPlan, start: LoginStart = LoginStart()) {
        self.plan = plan
        self.start = start
        let old = start.captures
        let skipsRefresh = start.skipsRefresh && !plan.login.isEmpty && plan.renewal.human == nil
        let mayRefresh =
            !plan.renewal.refresh.isEmpty && start.answer == nil && !skipsRefresh
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

    /// The end of the session at the upstream; nothing is judged.
    package init(logoutOf plan: SessionPlan, captures: [CapturedValue], jar: CookieJar) {
        self.plan = plan
        start = LoginStart()
        phase = .logout
        self.jar = jar.copy()
        self.captures = MemberList(captures.map(\.value), what: "the session has no such capture")
    }

    /// Stands at one step of the login, or of the refresh, that is only explained.
    init(explaining plan: SessionPlan, isRefresh: Bool, step: Int, captures: [Value]) {
        self.plan = plan
        self.step = step
        start = LoginStart()
        phase = isRefresh ? .refresh : .login
        jar = CookieJar()
        self.captures = MemberList(captures, what: "the login has not captured it yet")
    }

    /// Nothing can be sent before a person acts: a login that asks somebody on its way would send a text message with
    /// each request, and nobody would type what it says.
    package var blocked: GatewayError? {
        guard phase == .login else { return nil }
        if let human = plan.renewal.human, start.answer == nil { return GatewayError(.loginRequired, detail: human) }
        guard plan.hasFullLogin else {
            return GatewayError(.loginRequired, detail: "there is no refresh token of \(plan.name) any more\(remedy)")
        }
        guard plan.asksPerson, !start.isAttended else { return nil }
        return GatewayError(
            .loginRequired, detail: "a person has to log in: countersign login CONFIG \(plan.name)")
    }

    /// Nothing but the refresh was tried yet.
    package var isRefreshing: Bool { phase == .refresh }

    /// Hands the token over, so that there are no steps.
    package var source: TokenSource? { phase == .logout ? nil : plan.renewal.source }

    /// Indexes of the upstreams that the steps from here on talk to.
    package var upstreamsAhead: [Int] { steps.dropFirst(step).map { $0.upstream ?? plan.upstream } }

    /// The current step waits for what `question` asks.
    package var isAsking: Bool { steps.indices.contains(step) && steps[step].asks && answeredStep != step }

    /// What the person is asked before the current step.
    package func question(_ scope: ExchangeScope) throws(GatewayError) -> GatewayError {
        (scope.response, scope.session) = (nil, captures)
        return try steps[step].todo(scope, otherwise: "the login waits for an answer")
    }

    package mutating func answer(_ text: [UInt8]) {
        guard let slot = plan.renewal.humanSlot else { return }
        captures.set(.text(text), at: slot)
        answeredStep = step
    }

    /// The full login is over before it began: a person gave all there is (no steps).
    package var isComplete: Bool { step == steps.count }

    /// Index of the upstream that the current step talks to.
    package var upstream: Int { steps.indices.contains(step) ? steps[step].upstream ?? plan.upstream : plan.upstream }

    private var steps: [LoginStep] {
        switch phase {
        case .refresh: plan.renewal.refresh
        case .login: plan.login
        case .logout: plan.renewal.logout
        }
    }

    private var specialSlots: [Int] {
        plan.captureNames.indices.filter { CredentialExpiry.isSpecial(plan.captureNames[$0]) }
    }

    private static func blank(_ plan: SessionPlan) -> [Value] {
        Array(repeating: .null, count: plan.captureNames.count)
    }

    private func setAnswer() {
        if let slot = plan.renewal.humanSlot, let answer = start.answer { captures.set(.text(answer), at: slot) }
    }

    /// The request of the current step, signed.
    package func nextRequest(_ scope: ExchangeScope, upstream: UpstreamPlan) throws(GatewayError) -> UpstreamRequest {
        try LoginRequest.draft(
            steps[step], scope, session: plan, upstream: upstream, captures: captures, jar: jar, place: place
        ).finished
    }

    /// Asked first of all, and nothing is read of an answer that is not the upstream's own.
    package func verify(_ head: UpstreamHead, body: [UInt8], _ scope: ExchangeScope) throws(GatewayError) {
        guard let envelope = steps[step].envelope, envelope.verify != nil else { return }
        scope.response = ResponseView(whole: head, body: body)
        scope.session = captures
        do {
            try envelope.verify(scope)
        } catch {
            scope.response = nil
            throw envelope.forged
        }
    }

    /// What the answer says about the step's signatures; asked before `answered`. A refused time is told once per step.
    package mutating func signatureAnswer(
        _ head: UpstreamHead, body: [UInt8], _ scope: ExchangeScope
    ) -> SignatureAnswer? {
        let signatures = steps[step].signatures
        guard signatures.contains(where: { $0.clockRefused != nil || $0.echo != nil }),
            (try? show(head, body, scope)) != nil,
            // The whole answer is here: nothing is undecided.
            var judged = try? SignatureAnswer(signatures, scope, head.fields)
        else { return nil }
        if hasResigned { judged.refusedTime = nil }
        if judged.refusedTime != nil { hasResigned = true }
        return judged
    }

    /// Judges the answer of the current step: not yet, refused, then success, then captures. `ahead`: seconds that the
    /// upstream's clock is ahead, as far as that is known.
    package mutating func answered(
        _ head: UpstreamHead, body: [UInt8], _ scope: ExchangeScope, wall: Int64, ahead: Int64 = 0
    ) -> Verdict {
        scope.cookies?.store(head.fields, scope.request, wall: scope.now.seconds)
        do {
            let recipe = steps[step]
            try show(head, body, scope)
            if let wait = try polling.wait(recipe, scope, wall: wall) { return wait }
            polling = LoginPolling()
            try judge(recipe, head, scope)
        } catch {
            return ended(by: error, head.status)
        }
        guard isComplete else { return .next }
        return .succeeded(grant(wall: wall, ahead: ahead))
    }

    /// What the steps have captured, as far as it is text.
    package var capturedTexts: [[UInt8]] { captures.values.compactMap { $0.contents.map { Array($0) } } }

    /// What there is now, as a credential.
    package func grant(wall: Int64, ahead: Int64 = 0) -> CredentialGrant {
        CredentialExpiry.grant(
            captures: captures.values, names: plan.captureNames, wall: wall, ahead: ahead,
            cookies: plan.keepsCookies ? jar.values : [])
    }

    private mutating func ended(by error: GatewayError, _ status: Int) -> Verdict {
        switch error.kind {
        case .loginRefused where phase == .refresh: return fallBack()
        case .loginRefused, .loginRequired: return .refused(error)
        default:
            let isTold = phase != .login || steps[step].refused != nil || toldWait != nil
            return .failed(error, wait: toldWait, isDoubtful: !isTold && !Self.asksToComeLater(status))
        }
    }

    /// RFC 6749 5.2 `invalid_grant`: the refresh token is dead. Who can, logs in anew.
    private mutating func fallBack() -> Verdict {
        guard plan.hasFullLogin else {
            return .refused(
                GatewayError(
                    .loginRequired,
                    detail: "the upstream no longer accepts the refresh token of \(plan.name)\(remedy)"))
        }
        (phase, step, polling, jar) = (.login, 0, LoginPolling(), CookieJar())
        (answeredStep, hasResigned) = (nil, false)
        for slot in plan.captureNames.indices { captures.set(.null, at: slot) }
        setAnswer()
        if let blocked { return .refused(blocked) }
        return .next
    }

    /// What a person can do who has no login to start.
    private var remedy: String {
        let secrets = Set(plan.renewal.seed.flatMap { $0.value.references.compactMap(\.member) }).sorted()
        return secrets.isEmpty ? "" : "; gain a new one, replace secret \(secrets.joined(separator: ", ")) and reload"
    }

    private var place: String {
        let name =
            switch phase {
            case .refresh: "refresh"
            case .login: "login"
            case .logout: "logout"
            }
        return steps.count > 1 ? "\(name) step \(step + 1)" : name
    }

    private func show(_ head: UpstreamHead, _ body: [UInt8], _ scope: ExchangeScope) throws(GatewayError) {
        let view = ResponseView(head, to: scope.request, body: body)
        scope.session = captures
        guard let envelope = steps[step].envelope else {
            try view.decode()
            scope.response = view
            return
        }
        scope.response = view
        // One that it cannot read has no body: what the recipe looks for there errs, and says why.
        _ = envelope.open(scope)
    }

    private mutating func judge(
        _ recipe: LoginStep, _ head: UpstreamHead, _ scope: ExchangeScope
    ) throws(GatewayError) {
        let problem = problem(recipe.success, head.status, scope)
        // RFC 9110 15.5.2: a login that is answered with 401 was made with wrong credentials. Trying them again and again
        // locks accounts.
        let isRefused = recipe.refused?.holds(scope) ?? (problem != nil && saysRefused(head.status, scope))
        toldWait = isRefused || problem != nil ? LoginWait.told(recipe.retryAfter, head, scope) : nil
        if isRefused {
            if toldWait != nil {
                throw GatewayError(.loginUnavailable, detail: "\(place): the upstream refuses logins for a while")
            }
            // Where a person approves a login, a refusal means that they did not: they may try again.
            throw GatewayError(
                recipe.human == nil ? .loginRefused : .loginRequired,
                detail: "\(place): the upstream refused \(recipe.asks ? "what was answered" : "the credentials")")
        }
        if let problem {
            // Any other answer to a refresh will be the same next time. Synapse says 400 or 404 where the device was logged out
            // meanwhile: a recipe cannot know them all, and trying the same refresh for ever would be no way out. Where a
            // person would have to log in, only a refusal by the recipe is one.
            let comesLater = toldWait != nil || Self.asksToComeLater(head.status)
            if logsInInstead, !comesLater {
                throw GatewayError(.loginRefused, detail: "\(place): \(problem)")
            }
            // A captive portal or a broken page is not a session: nothing is stored.
            throw GatewayError(.loginUnavailable, detail: "\(place): \(problem)")
        }
        if let fault = recipe.faults.first(where: { $0.test.holds(scope) }) {
            throw GatewayError(.loginUnavailable, detail: "\(place): \(fault.reason)")
        }
        // Which of two tokens is meant, nobody can know: a duplicate is a fault, or an attempt to smuggle one in.
        if !recipe.captures.isEmpty, let root = try? scope.response?.json(), let name = root.document.duplicateName {
            throw GatewayError(
                .badAnswer,
                detail: "\(place): the JSON of the answer names a member twice: \(AnswerOutline.words(name))")
        }
        try take(recipe.captures, scope)
        step += 1
        hasResigned = false
    }

    private mutating func take(_ captures: [LoginStep.Capture], _ scope: ExchangeScope) throws(GatewayError) {
        for capture in captures {
            let value: Value
            do {
                value = try self.value(of: capture, scope)
            } catch {
                // A refusal under a 200, that the recipe does not know: the next refresh would be answered the same.
                throw logsInInstead ? GatewayError(.loginRefused, detail: error.detail) : error
            }
            // RFC 6749 6: a refresh that brings no new refresh token leaves the old one in force.
            if phase == .refresh, isEmpty(value), !self.captures.values[capture.slot].isAbsent { continue }
            self.captures.set(value, at: capture.slot)
        }
    }

    /// The full login can follow a refresh that gained nothing.
    private var logsInInstead: Bool { phase == .refresh && !plan.login.isEmpty && !plan.needsPerson }

    /// What an answer without success says where the recipe does not know.
    private func saysRefused(_ status: Int, _ scope: ExchangeScope) -> Bool {
        switch phase {
        case .login: return status == 401
        // RFC 6749 5.2: the refresh token is dead. Trying it again gains nothing.
        case .refresh:
            let word = try? scope.response?.json().member("error")?.text
            return [400, 401].contains(status) && word?.elementsEqual("invalid_grant".utf8) == true
        case .logout: return false
        }
    }

    /// Why the answer is no success; `nil`: it is one.
    private func problem(_ success: Expression?, _ status: Int, _ scope: ExchangeScope) -> String? {
        let answer = "the answer (status \(status)) is no success"
        guard let success else { return 200..<300 ~= status ? nil : answer }
        do {
            let value = try success.evaluate(scope)
            guard let holds = value.bool else {
                return "\(answer) by the recipe: success is a value of type \(value.resolved.typeName.name), no bool"
            }
            return holds ? nil : "\(answer) by the recipe: success is false"
        } catch {
            return "\(answer) by the recipe: success cannot be told: \(error)"
        }
    }

    /// Statuses that say "later", whatever was asked.
    private static func asksToComeLater(_ status: Int) -> Bool { status >= 500 || [408, 425, 429].contains(status) }

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
        guard !plan.attaches(name) || !isEmpty(value) else {
            throw GatewayError(.badAnswer, detail: "\(place), capture \(name): nothing there")
        }
        return value
    }

    private func isEmpty(_ value: Value) -> Bool { value.isAbsent || value.contents?.isEmpty == true }
}
