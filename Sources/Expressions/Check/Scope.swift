/// The names that an expression may use.
package struct Scope: Sendable {
    package typealias Name = (name: String, type: StaticType)

    package let names: [Name]
    package let functions: FunctionTable

    /// - Parameter names: in the order in which `EvaluationContext.value(at:)` counts them.
    package init(names: [Name], functions: FunctionTable = .standard) {
        self.names = names
        self.functions = functions
    }

    func index(of name: String) -> Int? { names.firstIndex { $0.name == name } }
}
