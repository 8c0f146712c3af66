/// "Did you mean": the known word nearest to a misspelt one.
enum Suggestion {
    static func hint(for word: String, among known: some Sequence<String>) -> String? {
        nearest(to: word, among: known).map { "did you mean `\($0)`?" }
    }

    /// The nearest word by edit distance, at most a third of the length away; `nil` when none is near.
    static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        let letters = Array(word.lowercased().utf8.prefix(64))
        let limit = max(1, letters.count / 3)
        var best: (word: String, distance: Int)?
        for candidate in known where !candidate.isEmpty {
            let distance = self.distance(letters, Array(candidate.lowercased().utf8.prefix(64)))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }

    /// Optimal string alignment: insertions, deletions, replacements and swapped neighbours.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
