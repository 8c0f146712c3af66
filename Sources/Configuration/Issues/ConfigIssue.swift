/// One problem in a config file. Never holds a secret's value: problems name keys, types and references only.
package struct ConfigIssue: Error, Sendable, Equatable {
    /// `error` stops the load; `warning` is shown at start and by `check`; `info` by `check` only.
    package enum Severity: String, Sendable, CaseIterable { case error, warning, info }

    /// Most issues of one severity that one load brings: a person fixes the first few, and whatever is made for each one (a
    /// "did you mean", a log line) is made on the thread that serves.
    package static let mostShown = 100

    package var file: String
    /// From 1; 0 when the whole file is meant (it cannot be opened).
    package var line: Int
    /// From 1, in characters.
    package var column: Int
    /// `routes[2].upstream`; empty for the document itself.
    package var path: String
    package var problem: String
    package var hint: String?
    package var severity: Severity

    package init(
        file: String, line: Int, column: Int, path: String, problem: String, hint: String? = nil,
        severity: Severity = .error
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.problem = problem
        self.hint = hint
        self.severity = severity
    }

    /// `file:line:column path: problem (hint)`; a warning says so before its problem. One line, no control characters.
    package var text: String {
        var output = file
        if line > 0 { output += ":\(line):\(column)" }
        if !path.isEmpty { output += " " + path }
        output += ": "
        if severity != .error { output += severity.rawValue + ": " }
        output += problem
        if let hint { output += " (\(hint))" }
        // Here, for all: names from the file reach problems on many ways.
        return Quoted.plain(output, limit: .max)
    }

    /// One JSON object on one line: `file line column path problem hint severity`; `hint` is null when there is none.
    package var json: String {
        "{\"file\":\(JSONLiteral.string(file)),\"line\":\(line),\"column\":\(column),"
            + "\"path\":\(JSONLiteral.string(path)),\"problem\":\(JSONLiteral.string(problem)),"
            + "\"hint\":\(hint.map(JSONLiteral.string) ?? "null"),\"severity\":\"\(severity.rawValue)\"}"
    }

    /// By place in the file, then errors before warnings.
    package static func precedes(_ first: ConfigIssue, _ second: ConfigIssue) -> Bool {
        if first.line != second.line { return first.line < second.line }
        if first.column != second.column { return first.column < second.column }
        if first.severity != second.severity { return first.severity == .error }
        return first.path != second.path ? first.path < second.path : first.problem < second.problem
    }
}
