package import Expressions

/// A signature recipe: variables in order, then fields. Evaluated over the request as it is about to be sent.
package final class SignaturePlan: Sendable {
    package struct Variable: Sendable {
        package var name: String
        package var value: Expression
        package init(name: String, value: Expression) {
            self.name = name
            self.value = value
        }
    }
    package let name: String
    package let variables: [Variable]
    package let attach: AttachPlan
    /// True: the request stays unsigned.
    package let skip: Expression?
    /// Applied in order after the variables and before `attach`.
    package let builtIns: [any RequestSigner]
    /// The recipe looks at the body, so the whole body must be held before the head can be sent.
    package let readsBody: Bool

    package init(
        name: String, variables: [Variable], attach: AttachPlan, skip: Expression?, readsBody: Bool,
        builtIns: [any RequestSigner] = []
    ) {
        self.name = name
        self.variables = variables
        self.attach = attach
        self.skip = skip
        self.builtIns = builtIns
        self.readsBody = readsBody
    }

    /// What must be known of the body before the head can be sent.
    package var bodyNeed: BodyNeed {
        let needs = builtIns.map(\.body) + [readsBody ? .whole : .nothing]
        return needs.max() ?? .nothing
    }
}
