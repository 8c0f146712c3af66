/// "did you mean": the known name that is nearest to an unknown one.
package enum Suggestion {
    /// Names above this many bytes are not compared (cost is quadratic in the length).
    private static let longest = 64

    /// Nearest candidate within a third of the length (at least one edit), or `nil`.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.utf8)
        guard !wanted.isEmpty, wanted.count <= longest else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate.utf8.count <= longest {
            let distance = editDistance(wanted, Array(candidate.utf8))
            let allowed = max(1, max(wanted.count, candidate.utf8.count) / 3)
            if distance <= allowed, distance < (best?.distance ?? .max) { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Hint for an unknown reference or key: the nearest name first, then all known ones (at most eight).
    static func hint(for name: String, among candidates: [String], what: String = "known") -> String? {
        guard !candidates.isEmpty else { return nil }
        var parts: [String] = []
        if let nearest = nearest(to: name, among: candidates) { parts.append("did you mean \(Quoted.plain(nearest))?") }
        let shown = candidates.prefix(8).map { Quoted.plain($0, limit: Quoted.limit) }.joined(separator: ", ")
        parts.append("\(what): \(shown)\(candidates.count > 8 ? ", …" : "")")
        return parts.joined(separator: " ")
    }

    /// Insert, delete, replace, swap of neighbours: one each (optimal string alignment).
    static func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: second.count + 1)
        var last = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            current.reserveCapacity(second.count + 1)
            for column in 0..<second.count {
                let replace = last[column] + (first[row] == second[column] ? 0 : 1)
                var cost = min(replace, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }
}
