/// Collects the issues of one load. One file is read by one thread; nothing of this survives the load.
final class IssueSink {
    let file: String
    let source: SourceText
    private(set) var issues: [ConfigIssue] = []

    init(file: String, source: SourceText) {
        self.file = file
        self.source = source
    }

    private(set) var errorCount = 0
    var hasErrors: Bool { errorCount > 0 }
    var sorted: [ConfigIssue] { issues.sorted(by: ConfigIssue.precedes) }

    func report(
        _ problem: String, hint: String? = nil, at position: SourcePosition, path: String,
        severity: ConfigIssue.Severity = .error
    ) {
        if severity == .error { errorCount += 1 }
        // The user's own line is the one that asks for the profile.
        let shown = position.profile?.mount ?? position
        let inside = position.profile.map { "in \($0.label), line \(position.line): " } ?? ""
        issues.append(
            ConfigIssue(
                file: file, line: shown.line, column: shown.column, path: path, problem: inside + problem, hint: hint,
                severity: severity))
    }
}
