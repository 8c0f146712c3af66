/// Collects the issues of one load. One file is read by one thread; nothing of this survives the load.
final class IssueSink {
    let file: String
    let source: SourceText
    private(set) var issues: [ConfigIssue] = []
    private var counts: [ConfigIssue.Severity: Int] = [:]

    init(file: String, source: SourceText) {
        self.file = file
        self.source = source
    }

    var errorCount: Int { counts[.error, default: 0] }
    var hasErrors: Bool { errorCount > 0 }

    /// By place in the file; at the end, how many there were beyond those kept.
    var sorted: [ConfigIssue] {
        var sorted = issues.sorted(by: ConfigIssue.precedes)
        for severity in ConfigIssue.Severity.allCases {
            guard let count = counts[severity], count > ConfigIssue.mostShown else { continue }
            sorted.append(
                ConfigIssue(
                    file: file, line: 0, column: 0, path: "", problem: "and \(count - ConfigIssue.mostShown) more",
                    severity: severity))
        }
        return sorted
    }

    /// `problem` and `hint` are made for issues that are kept only.
    func report(
        _ problem: @autoclosure () -> String, hint: @autoclosure () -> String? = nil, at position: SourcePosition,
        path: @autoclosure () -> String, severity: ConfigIssue.Severity = .error
    ) {
        counts[severity, default: 0] += 1
        guard counts[severity, default: 0] <= ConfigIssue.mostShown else { return }
        // The user's own line is the one that asks for the profile.
        let shown = position.profile?.mount ?? position
        let inside = position.profile.map { "in \($0.label), line \(position.line): " } ?? ""
        issues.append(
            ConfigIssue(
                file: file, line: shown.line, column: shown.column, path: path(), problem: inside + problem(),
                hint: hint(), severity: severity))
    }
}
