package import Expressions

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

    package init(
        name: String, variables: [Variable], attach: AttachPlan, skip: Expression? = nil, readsBody: Bool,
        builtIns: [any RequestSigner] = [],
        clockRefused: Expression? = nil, echo: Expression? = nil
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
    }

    /// The answer is looked into, and so is its body.
    package var readsAnswerBody: Bool {
        [clockRefused, echo].contains { $0?.references.contains { $0.readsResponseBody } ?? false }
    }

    /// Its expressions take the request's body apart.
    package var parsesBody: Bool {
        let references = variables.flatMap { $0.value.references } + attach.fields.flatMap { $0.value.references }
        return references.contains(where: \.parsesRequestBody)
            || skip?.references.contains(where: \.parsesRequestBody) ?? false
    }

    /// What must be known of the body before the head can be sent.
    package var bodyNeed: BodyNeed {
        let needs = builtIns.map(\.body) + [readsBody ? .whole : .nothing]
        return needs.max() ?? .nothing
    }
}
