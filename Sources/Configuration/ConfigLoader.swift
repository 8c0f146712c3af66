import Domain
package import Expressions

/// Reads config files. Does file I/O (the config, its secrets, its certificates' modes); nothing is kept between loads.
package struct ConfigLoader: Sendable {
    private let environment: [String: String]
    private let functions: FunctionTable

    /// - Parameters:
    ///   - environment: of the process, for `{env: NAME}` and `CREDENTIALS_DIRECTORY`.
    ///   - functions: that expressions may call; `explain` passes a table that records what is signed.
    package init(environment: [String: String], functions: FunctionTable = .standard) {
        self.environment = environment
        self.functions = functions
    }

    /// Reads a file. Every problem is in the outcome; nothing traps or throws.
    package func load(path: String) -> ConfigOutcome {
        let bytes: [UInt8]
        let status: FileStatus
        do throws(FileFault) {
            (bytes, status) = try FileReader.read(path, followsLink: true, limit: YAMLDocument.largestFile)
        } catch {
            let problem = error == .tooLarge ? "larger than 1 MiB" : error.problem
            return .issues([ConfigIssue(file: path, line: 0, column: 0, path: "", problem: problem)])
        }
        return load(bytes: bytes, file: path, folder: FilePath.folder(of: path), status: status)
    }

    /// Reads a text; paths in it are relative to the folder of `file`.
    package func load(text: String, file: String) -> ConfigOutcome {
        load(bytes: Array(text.utf8), file: file, folder: FilePath.folder(of: file), status: nil)
    }

    /// Reads bytes; as above.
    package func load(bytes: [UInt8], file: String) -> ConfigOutcome {
        load(bytes: bytes, file: file, folder: FilePath.folder(of: file), status: nil)
    }

    private func load(bytes: [UInt8], file: String, folder: String, status: FileStatus?) -> ConfigOutcome {
        // A byte order mark belongs to no line.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let issues = IssueSink(file: file, source: SourceText(bytes: text))
        if let status { checkFile(status, issues) }
        guard let root = YAMLDocument(parsing: issues.source, issues: issues).root else {
            return .issues(issues.sorted)
        }
        var expander = ProfileExpander(root: root, issues: issues, folder: folder)
        guard let whole = expander.expand(),
            let raw = RawConfig.section.read(Cursor(node: whole, path: "", issues: issues))
        else { return .issues(issues.sorted) }
        // Not a required key of the table: a profile may bring the routes.
        if whole["routes"]?.isNull ?? true {
            issues.report(
                "routes is missing", hint: "a mapping, or a list of them", at: whole.position, path: "")
        }
        let secrets = SecretSource(environment: environment, folder: folder)
        let builder = PlanBuilder(
            raw: raw, issues: issues, secrets: secrets, folder: folder, functions: functions,
            missingSecrets: expander.missingSecrets)
        let plan = builder.build()
        guard let plan, !issues.hasErrors else { return .issues(issues.sorted) }
        return .plan(plan, warnings: issues.sorted)
    }

    /// Who can write the config can send the credentials anywhere.
    private func checkFile(_ status: FileStatus, _ issues: IssueSink) {
        let start = SourcePosition(line: 1, column: 1)
        if status.isWritableByOthers {
            let mode = String(status.mode, radix: 8)
            issues.report("group or others can write this file (mode \(mode))", hint: "chmod go-w", at: start, path: "")
        } else if status.owner != 0, status.owner != FileReader.effectiveUser {
            issues.report(
                "this file belongs to another user, who can change it", at: start, path: "", severity: .warning)
        }
    }
}
