/// Every problem of one source, in order of position; never empty.
package struct ExpressionIssues: Error, Sendable, CustomStringConvertible {
    package let issues: [ExpressionIssue]

    init(_ issues: [ExpressionIssue], in source: [UInt8]) {
        self.issues = issues.sorted { $0.offset < $1.offset }.map { $0.located(in: source) }
    }

    package var description: String { issues.map(\.description).joined(separator: "\n") }
}
