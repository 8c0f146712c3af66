package import Expressions

/// How one upstream wraps its answers, and how the gateway speaks that dialect itself.
package final class EnvelopePlan: Sendable {
    package enum Unwrap: String, Sendable, CaseIterable {
        case charset, bom, xssi, jsonp
        case skipToJSON = "skip_to_json"
    }
    package struct RenderField: Sendable {
        package var key: [UInt8]
        package var value: Template
        package init(key: [UInt8], value: Template) {
            self.key = key
            self.value = value
        }
    }
    package let name: String
    package let unwrap: [Unwrap]
    package let ok: Expression?
    package let code: Expression?
    package let message: Expression?
    package let data: Expression?
    /// Empty: answers made by the gateway use the standard envelope.
    package let render: [RenderField]

    package init(
        name: String, unwrap: [Unwrap], ok: Expression?, code: Expression?, message: Expression?, data: Expression?,
        render: [RenderField]
    ) {
        self.name = name
        self.unwrap = unwrap
        self.ok = ok
        self.code = code
        self.message = message
        self.data = data
        self.render = render
    }
}

/// What a route does with the upstream's envelope.
package struct EnvelopeRule: Sendable {
    package enum Target: Sendable {
        case standard, problem
        /// The upstream's own dialect: answers pass as they are; gateway-made answers are rendered in it.
        case same
        case other(EnvelopePlan)
    }
    package enum StatusRule: Sendable { case keep, map }
    package var from: EnvelopePlan
    package var target: Target
    package var status: StatusRule
    package init(from: EnvelopePlan, target: Target, status: StatusRule = .keep) {
        self.from = from
        self.target = target
        self.status = status
    }
}
