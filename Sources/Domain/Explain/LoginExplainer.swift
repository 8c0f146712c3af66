import Bytes
package import Expressions

/// Writes every request of a login as the gateway would, without sending one. What earlier steps capture is a placeholder.
package struct LoginExplainer {
    private let plan: GatewayPlan
    private let recorder: CallRecorder
    private let trail: SecretTrail?

    /// - Parameter recorder: of the function table that the plan was compiled with.
    package init(plan: GatewayPlan, recorder: CallRecorder, trail: SecretTrail?) {
        self.plan = plan
        self.recorder = recorder
        self.trail = trail
    }

    /// - Parameter input: captures that are known, time and nonce; the rest of it is not looked at.
    package func explain(_ session: SessionPlan, _ input: ExplainInput) -> LoginExplanation {
        var result = LoginExplanation(
            session: session, upstream: plan.upstreams[session.upstream], captures: input.captures(of: session))
        // A full login starts from nothing, except for what a person tells.
        var known = Set([session.renewal.humanSlot].compactMap(\.self))
        for (index, recipe) in session.login.enumerated() {
            let name = session.login.count > 1 ? "login step \(index + 1)" : "login"
            result.login.append(step(recipe, name, known, result, input, (false, index)))
            known.formUnion(recipe.captures.map(\.slot))
        }
        let all = Set(session.captureNames.indices.filter { !CredentialExpiry.isSpecial(session.captureNames[$0]) })
        let refresh = session.renewal.refresh
        for (index, recipe) in refresh.enumerated() {
            let name = refresh.count > 1 ? "refresh step \(index + 1)" : "refresh"
            result.refresh.append(step(recipe, name, all, result, input, (true, index)))
        }
        return result
    }

    /// - Parameter known: slots that hold something by then.
    private func step(
        _ recipe: LoginStep, _ name: String, _ known: Set<Int>, _ result: LoginExplanation, _ input: ExplainInput,
        _ place: (isRefresh: Bool, index: Int)
    ) -> LoginExplanation.Step {
        let session = result.session
        let upstream = plan.upstreams[recipe.upstream ?? session.upstream]
        let values: [Value] = result.captures.enumerated().map { slot, capture in
            known.contains(slot) ? .text(capture.value) : .null
        }
        let captures = WatchedCaptures(values)
        let scope = ExchangeScope(
            request: LoginRun.emptyDraft, now: input.now,
            surroundings: Surroundings(secrets: plan.secrets, device: input.device, pinnedNonce: input.nonce))
        let trace = AssemblyTrace(recorder: recorder, trail: trail)
        scope.trace = trace
        var step = LoginExplanation.Step(name: name, recipe: recipe, upstream: upstream)
        do {
            let draft = try LoginRequest.draft(
                recipe, scope, session: session, upstream: upstream, captures: captures, jar: CookieJar(), place: name)
            step.request = WireText.request(draft, to: upstream)
        } catch {
            step.refusal = error
        }
        step.placeholders = result.captures.indices
            .filter { captures.read.contains($0) && known.contains($0) && !result.captures[$0].isGiven }
            .map { result.captures[$0].name }
        (step.computed, step.skipsSignature) = (trace.computed, trace.skipsSignature)
        step.unfinishedCalls = trace.unfinished()
        guard let answer = input.answer, step.request != nil, input.step ?? name == name else { return step }
        let run = LoginRun(
            explaining: session, isRefresh: place.isRefresh, step: place.index, captures: values)
        step.answer = AnswerExplanation(answer, recipe, run, scope)
        return step
    }
}
