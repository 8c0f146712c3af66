import Bytes
package import Expressions

/// What happened while a request was put together, written by the code that does it in earnest.
package final class AssemblyTrace {
    /// Something that a recipe computed.
    package struct Computed {
        /// `session shop`, `signature tpshop`, `route /api/**`.
        package var recipe: String
        /// `nil` for a variable of the signature.
        package var place: AttachPlan.Place?
        package var name: [UInt8]
        /// As text; for JSON fields as JSON.
        package var value: [UInt8]
        /// What digests and signatures were given on the way, in order.
        package var calls: [CryptographicCall]
    }

    /// `recipe` of a field that a route's `request` transforms.
    package static let request = "request"
    /// `recipe` of a field of a login's request, and of a variable of a login step.
    package static let field = "field"
    package static let step = "step"

    package private(set) var computed: [Computed] = []
    /// Target after the rewrite, with the client's query and before anything is attached.
    package internal(set) var rewritten: [UInt8]?
    package internal(set) var skipsSignature = false
    private let recorder: CallRecorder
    let trail: SecretTrail?

    /// - Parameter trail: `nil`: nobody has to hide what becomes of secrets.
    package init(recorder: CallRecorder, trail: SecretTrail?) {
        self.recorder = recorder
        self.trail = trail
        // Constants were folded with it when the config was compiled.
        _ = recorder.take()
    }

    func attached(_ field: AttachPlan.Field, value: [UInt8], recipe: String) {
        computed.append(
            Computed(recipe: recipe, place: field.place, name: field.name, value: value, calls: recorder.take()))
    }

    func computed(_ variable: String, _ value: Value, recipe: String = "variables") {
        var text: [UInt8] = []
        value.appendText(to: &text)
        computed.append(
            Computed(
                recipe: recipe, place: nil, name: Array(variable.utf8), value: text, calls: recorder.take()))
    }

    /// A built-in signature: what it made, and the texts on the way there.
    func signed(_ recipe: String, signature: [UInt8], _ texts: [(name: String, text: [UInt8])]) {
        computed.append(
            Computed(
                recipe: recipe, place: nil, name: Array("signature".utf8), value: signature,
                calls: recorder.take() + texts.map { CryptographicCall(function: $0.name, message: $0.text) }))
    }

    /// A field of the client's in its new shape.
    func transformed(_ field: [UInt8], _ value: Value) {
        var text: [UInt8] = []
        value.appendText(to: &text)
        computed.append(Computed(recipe: Self.request, place: nil, name: field, value: text, calls: recorder.take()))
    }

    /// A field of a login's request. The request shows it; what digests were given on the way, it does not.
    func digested(_ field: String, _ value: [UInt8]) {
        let calls = recorder.take()
        guard !calls.isEmpty else { return }
        computed.append(
            Computed(recipe: Self.field, place: nil, name: Array(field.utf8), value: value, calls: calls))
    }

    /// What was given to digests in an expression that then had no value.
    func unfinished() -> [CryptographicCall] { recorder.take() }
}
