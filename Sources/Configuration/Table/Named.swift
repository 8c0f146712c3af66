/// A value under a name that the user chose.
struct Named<Value> {
    var name: String
    var value: Value
    /// Place of the name.
    var position: SourcePosition
    /// Place of the value.
    var cursor: Cursor

    func reportName(_ problem: String, hint: String? = nil, severity: ConfigIssue.Severity = .error) {
        cursor.issues.report(problem, hint: hint, at: position, path: cursor.path, severity: severity)
    }
}
