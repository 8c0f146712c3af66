/// The names that an expression may use.
package struct Scope: Sendable {
    package typealias Name = (name: String, type: StaticType)

    package let names: [Name]
    package let functions: FunctionTable
    /// Keys that a value at a path can have: `["request.params": ["id"]]`. Any other is an issue.
    package let keys: [String: [String]]
    /// Members whose value is known before any evaluation: secrets.
    let known: Known

    /// By index of the name and index of its member; `nil`: not known.
    package typealias Known = @Sendable (_ name: Int, _ member: Int) -> Value?

    /// - Parameters:
    ///   - names: in the order in which `EvaluationContext.value(at:)` counts them.
    ///   - known: for functions that look at their arguments in advance; never folded into an expression.
    package init(
        names: [Name], functions: FunctionTable = .standard, keys: [String: [String]] = [:],
        known: @escaping Known = { _, _ in nil }
    ) {
        self.names = names
        self.functions = functions
        self.keys = keys
        self.known = known
    }

    /// The same names; what is compiled with it can be followed by a `SecretTrail`.
    package var following: Scope {
        Scope(names: names, functions: functions.recording(to: CallRecorder()), keys: keys, known: known)
    }

    func index(of name: String) -> Int? { names.firstIndex { $0.name == name } }
}
