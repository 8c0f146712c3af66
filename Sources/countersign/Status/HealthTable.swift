import JSONBytes

/// A health report (`GET /health`) as lines for a terminal.
enum HealthTable {
    static func render(_ root: JSONValue) -> String {
        var lines = [["gateway", text(root, "status") ?? "?", summary(root)]]
        for (name, value) in members(root, "upstreams") {
            lines.append(["upstream \(name)", text(value, "state") ?? "?", upstream(value)])
        }
        for (name, value) in members(root, "sessions") {
            lines.append(["session \(name)", text(value, "state") ?? "?", session(value)])
        }
        let widths = [0, 1].map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let padded = [0, 1].map { line[$0] + String(repeating: " ", count: widths[$0] - line[$0].count) }
            return "\(padded[0])  \(padded[1])  \(line[2])\n"
        }.joined()
    }

    private static func summary(_ root: JSONValue) -> String {
        var parts = ["version \(text(root, "version") ?? "?")", "up \(text(root, "uptime") ?? "?") s"]
        parts.append("\(text(root, "connections") ?? "?") connections")
        parts.append("\(text(root, "in_flight") ?? "?") in flight")
        if member(root, "draining")?.boolValue == true { parts.append("draining") }
        return parts.joined(separator: ", ")
    }

    private static func upstream(_ value: JSONValue) -> String {
        var parts = ["breaker \(text(value, "breaker") ?? "?")"]
        if let failure = text(value, "lastFailure") { parts.append("last failure \(failure)") }
        if let seconds = text(value, "retryAfter") { parts.append("next try in \(seconds) s") }
        if let offset = text(value, "clockOffset"), offset != "0" { parts.append("clock \(offset) s ahead") }
        if member(value, "verifyTLS")?.boolValue == false { parts.append("TLS IS NOT VERIFIED") }
        return parts.joined(separator: ", ")
    }

    private static func session(_ value: JSONValue) -> String {
        var parts = ["generation \(text(value, "generation") ?? "?")", "\(text(value, "logins") ?? "?") logins"]
        if let seconds = text(value, "expiresIn") { parts.append("expires in \(seconds) s") }
        if let seconds = text(value, "retryAfter") { parts.append("next login in \(seconds) s") }
        if let kind = text(value, "lastError") { parts.append("last error \(kind)") }
        if let answer = text(value, "lastAnswer") { parts.append("the upstream said: \(answer)") }
        if let store = member(value, "store"), let problem = text(store, "problem") {
            parts.append("store \(text(store, "state") ?? "?"): \(problem)")
        }
        if text(value, "attempt") == "asking" { parts.append("a login waits for an answer") }
        if let problem = text(value, "expiryProblem") { parts.append("end not understood: \(problem)") }
        if let waiting = text(value, "waiting"), waiting != "0" { parts.append("\(waiting) waiting") }
        return parts.joined(separator: ", ")
    }

    private static func member(_ value: JSONValue, _ name: String) -> JSONValue? {
        let key = Array(name.utf8)
        return value.member(key.span)
    }

    /// A string or a number as text; `nil` when it is missing or null.
    static func text(_ value: JSONValue, _ name: String) -> String? {
        guard let found = member(value, name), found.kind != .null else { return nil }
        let bytes = found.text.map { Array($0) } ?? Array(found.raw)
        return Printable.line(bytes)
    }

    private static func members(_ value: JSONValue, _ name: String) -> [(name: String, value: JSONValue)] {
        guard let object = member(value, name), object.kind == .object else { return [] }
        return object.members.map { (Printable.line($0.key.text.map { Array($0) } ?? []), $0.value) }
    }
}
