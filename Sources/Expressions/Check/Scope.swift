/// The names that an expression may use.
package struct Scope: Sendable {
    package typealias Name = (name: String, type: StaticType)

    package let names: [Name]
    package let functions: FunctionTable
    /// Keys that a value at a path can have: `["request.params": ["id"]]`. Any other is an issue.
    package let keys: [String: [String]]

    /// - Parameter names: in the order in which `EvaluationContext.value(at:)` counts them.
    package init(names: [Name], functions: FunctionTable = .standard, keys: [String: [String]] = [:]) {
        self.names = names
        self.functions = functions
        self.keys = keys
    }

    func index(of name: String) -> Int? { names.firstIndex { $0.name == name } }
}
