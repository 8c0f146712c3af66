import Domain
import Expressions

/// Compiles the expressions and templates of a config; their issues are mapped to the place in the file.
final class ExpressionCompiler {
    /// Issues shown for one expression; finding the place of each costs a walk through the text.
    private static let mostIssues = 20

    private let limits: ExpressionLimits

    /// - Parameter steps: of one evaluation.
    init(steps: Int) {
        var limits = ExpressionLimits()
        limits.steps = steps
        self.limits = limits
    }

    /// Names that the compiled expressions use, since the last `takeReferences`.
    private var references: Set<Reference> = []

    /// Secrets that the compiled expressions read, and where the profiles are asked for that they stand in; `nil`: in none.
    private var secrets: [String: [SourcePosition?]] = [:]
    /// Remarks that were told: a recipe is compiled for each session that it is used with.
    private var told: Set<String> = []

    func takeReferences() -> Set<Reference> {
        defer { references = [] }
        return references
    }

    /// - Parameters:
    ///   - wantsBool: the result decides something.
    ///   - noting: is told the value, where it is known.
    func expression(
        _ cursor: Cursor, in scope: Scope, wantsBool: Bool = false, noting: (Constant) -> Void = { _ in }
    ) -> Expression? {
        guard let source = source(cursor) else { return nil }
        do throws(ExpressionIssues) {
            let expression = try Expression(parsing: source, in: scope, limits: limits, noting: noting)
            note(expression.references, cursor)
            tell(expression.remarks, cursor, .info)
            if wantsBool, expression.resultType != .bool, expression.resultType != .dyn {
                cursor.report("must give true or false, not \(expression.resultType.name)")
                return nil
            }
            return expression
        } catch {
            report(error, cursor)
            return nil
        }
    }

    func template(_ cursor: Cursor, in scope: Scope) -> Template? {
        guard let source = source(cursor) else { return nil }
        do throws(ExpressionIssues) {
            let template = try Template(parsing: source, in: scope, limits: limits)
            note(template.references, cursor)
            tell(template.remarks, cursor, .warning)
            tell(template.expressions.flatMap(\.remarks), cursor, .info)
            return template
        } catch {
            report(error, cursor)
            return nil
        }
    }

    /// A template for a place that takes one line: header, cookie, path.
    func line(_ cursor: Cursor, in scope: Scope) -> Template? {
        guard let source = source(cursor) else { return nil }
        if source.utf8.last == 0x0A {
            cursor.report("ends with a line break", hint: "use |- or >- instead of | or >")
            return nil
        }
        guard let template = template(cursor, in: scope) else { return nil }
        if template.isConstant, source.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            cursor.report("holds a control character")
            return nil
        }
        return template
    }

    private func note(_ used: Set<Reference>, _ cursor: Cursor) {
        references.formUnion(used)
        for case let name? in used.map({ $0.name == "secret" ? $0.member : nil }) {
            let mount = cursor.node.position.profile?.mount
            if secrets[name]?.contains(mount) != true { secrets[name, default: []].append(mount) }
        }
    }

    /// An expression of the profile that is asked for there reads the secret, or one of the config itself.
    func reads(_ secret: MissingSecret) -> Bool {
        secrets[secret.name]?.contains { $0 == nil || $0 == secret.mount } ?? false
    }

    private func tell(_ remarks: [ExpressionIssue], _ cursor: Cursor, _ severity: ConfigIssue.Severity) {
        for remark in remarks where told.insert("\(cursor.path) \(remark.offset)").inserted {
            cursor.report(remark.message, hint: remark.hint, atByte: remark.offset, severity: severity)
        }
    }

    private func source(_ cursor: Cursor) -> String? {
        guard case .scalar(let scalar) = cursor.node.content else { return nil }
        return scalar.text
    }

    private func report(_ error: ExpressionIssues, _ cursor: Cursor) {
        for issue in error.issues.prefix(ExpressionCompiler.mostIssues) {
            cursor.report(issue.message, hint: issue.hint, atByte: issue.offset)
        }
    }
}
