import Configuration
import Domain
import Expressions
import HTTPWire
import JSONBytes

/// Every limit: those of the config with what happens at them, and those that are fixed.
package enum LimitCatalogue {
    package struct Row: Sendable, Equatable {
        /// Key of the config, or what is limited when it is fixed.
        package var name: String
        package var isFixed: Bool
        /// `count`, `bytes` or `time`.
        package var unit: String
        package var defaultText: String
        /// What happens at the limit: a status, or words.
        package var effect: String
        /// The series that counts it; empty: none.
        package var metric: String
        package var meaning: String
    }

    /// Limits of the config in the order of its keys, then the fixed ones.
    package static var rows: [Row] { configured + fixed }

    /// The manual's page, with a line break at the end.
    package static var markdown: String {
        var text = "# Limits\n\nNothing is without a bound. What is reached is refused with the status named here.\n"
        text += table("Set in the config", "key", configured)
        text += table("Fixed", "limit", fixed)
        return text
    }

    private static func table(_ title: String, _ first: String, _ rows: [Row]) -> String {
        var text = "\n## \(title)\n\n| \(first) | unit | default | at the limit | counted in | meaning |\n"
        text += "|---|---|---|---|---|---|\n"
        for row in rows {
            let name = row.isFixed ? row.name : "`\(row.name)`"
            let metric = row.metric.isEmpty ? "" : "`\(row.metric)`"
            text += "| \(name) | \(row.unit) | `\(row.defaultText)` | \(row.effect) | \(metric) | \(row.meaning) |\n"
        }
        return text
    }

    /// Whether a key of the config is a limit, so that a new one cannot be left out of `effects`.
    package static func isLimit(_ path: String) -> Bool {
        let groups = [".timeouts.", ".limits.", ".wait.", ".attempts_window.", ".backoff."]
        let single = ["sessions.NAME.in_flight", "sessions.NAME.login_time"]
        return path.hasPrefix("limits.") || single.contains(path) || groups.contains { path.contains($0) }
    }

    private static var configured: [Row] {
        KeyCatalogue.rows.filter { isLimit($0.path) }.map { key in
            let effect = LimitEffect.all[key.path]
            return Row(
                name: key.path, isFixed: false, unit: unit(of: key.type), defaultText: key.defaultText ?? "",
                effect: effect?.text ?? "", metric: effect?.metric ?? "", meaning: key.doc)
        }
    }

    private static func unit(of type: String) -> String {
        switch type {
        case "a size": "bytes"
        case "a duration": "time"
        default: "count"
        }
    }

    private static var fixed: [Row] {
        let (wire, expressions, json) = (WireLimits(), ExpressionLimits(), JSONLimits())
        func row(_ name: String, _ unit: String, _ value: Int, _ effect: String, _ metric: String, _ why: String) -> Row
        {
            Row(
                name: name, isFixed: true, unit: unit, defaultText: "\(value)", effect: effect, metric: metric,
                meaning: why)
        }
        return [
            Row(
                name: "client descriptors", isFixed: true, unit: "count", defaultText: "RLIMIT_NOFILE / 2 - 16",
                effect: "idle clients are closed; then accepting pauses", metric: LimitEffect.limit(.descriptors),
                meaning: "Open files that clients may take; the others are kept for upstreams and the admin listener."),
            row(
                "issues", "count", ConfigIssue.mostShown, "counted, not shown", "",
                "Errors of one config that are shown; as many warnings, and notes."),
            row(
                "chunk line", "bytes", wire.chunkLine, "400", LimitEffect.wire("chunk_line_too_long"),
                "One chunk-size line of a request body, with its extensions."),
            row(
                "chunk extensions", "bytes", wire.chunkExtensions, "400",
                LimitEffect.wire("chunk_extensions_too_large"), "All chunk extensions of one request."),
            row(
                "trailers", "bytes", wire.trailerBytes, "431", LimitEffect.wire("trailers_too_large"),
                "Trailer section of one request."),
            row(
                "trailer fields", "count", wire.trailerFields, "431", LimitEffect.wire("trailers_too_large"),
                "Trailer fields of one request."),
            row(
                "login answer", "bytes", ResponseView.loginLimit, "503 `login_unavailable`", "",
                "Answer of one step of a login."),
            row(
                "answer of a person", "s", Int(LoginFlight.answerTime / 1_000_000_000), "401 `login_required`", "",
                "Time to answer what a step of a login asks; then it ends."),
            row(
                "told lock", "s", Int(LoginWait.longest), "503 `login_unavailable`", "",
                "Longest pause that an upstream can ask for after a login; then it is tried again."),
            row(
                "logout", "s", Int(SessionEnding.longest / 1_000_000_000), "left alone", "",
                "Time for the requests of a logout when the gateway stops."),
            row(
                "JSON depth", "count", json.depth, "counts as no JSON", "",
                "Nested arrays and objects of a document that is looked into."),
            row(
                "JSON values", "count", json.nodes, "counts as no JSON", "",
                "Values and keys of a document that is looked into."),
            row(
                "expression source", "bytes", expressions.sourceBytes, "issue of the config", "",
                "Text of one expression or template."),
            row(
                "expression nesting", "count", expressions.nesting, "issue of the config", "",
                "Brackets, calls and unary operators inside each other."),
        ]
    }
}
