package import Expressions
package import Redaction

/// A signature recipe: variables in order, then fields. Evaluated over the request as it is about to be sent.
package final class SignaturePlan: Sendable {
    /// A value of the recipe, `vars.NAME`.
    package struct Variable: Sendable {
        package var name: String
        package var value: Expression
        package init(name: String, value: Expression) {
            self.name = name
            self.value = value
        }
    }
    package let name: String
    /// How messages call it; made once, not with every request.
    let title: String
    /// In order: one may use those before it.
    package let variables: [Variable]
    /// The last edit of the request.
    package let attach: AttachPlan
    /// True: the request stays unsigned.
    package let skip: Expression?
    /// Applied in order after the variables and before `attach`.
    package let builtIns: [any RequestSigner]
    /// The recipe looks at the body, so the whole body must be held before the head can be sent.
    package let readsBody: Bool
    /// Over the answer: the upstream refused the request's time. True: its time is in `Date`; a time or Unix seconds:
    /// that is its time.
    package let clockRefused: Expression?
    /// Over the answer: the string that the upstream signed, when it tells; anything but a text counts as none.
    package let echo: Expression?
    /// The variables once more, for a `SecretTrail`; only with `echo`, whose strings are logged.
    let followed: [Expression]

    package init(
        name: String, variables: [Variable], attach: AttachPlan, skip: Expression? = nil, readsBody: Bool,
        builtIns: [any RequestSigner] = [],
        clockRefused: Expression? = nil, echo: Expression? = nil, followed: [Expression] = []
    ) {
        self.name = name
        title = "signature \(name)"
        self.variables = variables
        self.attach = attach
        self.skip = skip
        self.builtIns = builtIns
        self.readsBody = readsBody
        self.clockRefused = clockRefused
        self.echo = echo
        self.followed = followed
    }

    /// The answer is looked into, and so is its body.
    package var readsAnswerBody: Bool {
        [clockRefused, echo].contains { $0?.references.contains { $0.readsResponseBody } ?? false }
    }

    /// What the expressions over the request use.
    package var references: Set<Reference> {
        let expressions = variables.map(\.value.references) + attach.fields.map(\.value.references)
        return expressions.reduce(into: skip?.references ?? []) { $0.formUnion($1) }
    }

    /// Its expressions take the request's body apart.
    package var parsesBody: Bool { references.contains(where: \.parsesRequestBody) }

    /// What must be known of the body before the head can be sent.
    package var bodyNeed: BodyNeed {
        let needs = builtIns.map(\.body) + [readsBody ? .whole : .nothing]
        return needs.max() ?? .nothing
    }
}

extension SignaturePlan {
    /// What the variables make of secrets, for the request as it was sent. Evaluates them all: for what is about to be logged.
    /// - Parameter ranges: where known secrets stand in a text.
    package func derived(
        _ scope: ExchangeScope, _ ranges: @escaping (Span<UInt8>) -> [Range<Int>]
    ) -> Redactor {
        let made = Redactor(addedLimit: .max)
        let trail = SecretTrail(
            least: Redactor.minimumLength, ranges: { ranges($0) + made.ranges(in: $0) }, learn: { made.add($0) })
        let (values, trace) = (scope.variables.values, scope.trace)
        scope.trace = AssemblyTrace(recorder: CallRecorder(), trail: trail)
        scope.variables.removeAll()
        // One that has no value now had none to sign either.
        for variable in followed { scope.variables.append((try? variable.evaluate(scope)) ?? .null) }
        scope.variables.removeAll()
        for value in values { scope.variables.append(value) }
        scope.trace = trace
        return made
    }
}
