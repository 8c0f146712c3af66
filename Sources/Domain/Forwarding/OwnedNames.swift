import Bytes

/// Names of form and query fields that belong to the gateway, as the most lenient server would read them: a client must not
/// bring a field that some parser takes for one of these. Servers fold names in many ways, and each fold counts:
///
/// - case (ASP.NET), with the two letters beyond ASCII that fold into it (`ſ`, `K`);
/// - blanks at the ends, and what follows a NUL (PHP);
/// - dot, blank and an opening bracket as `_` (PHP);
/// - brackets as the way into a value (PHP, Rack, qs): `token[x]` makes another `token`, `[token]` is one;
/// - dots as brackets (ASP.NET, Spring).
package struct OwnedNames: Sendable {
    private struct Folds: Sendable {
        /// Split at brackets, each part as PHP writes it; no more than `most`.
        let steps: [[UInt8]]
        /// Split at brackets and dots; `nil`: into more parts than `most`.
        let path: [[UInt8]]?
        /// Without any way into it; `nil`: too long to be looked at.
        let flat: [UInt8]?

        /// A name of a client's may have megabytes, and as many brackets.
        init(_ name: ArraySlice<UInt8>, most: Int, longest: Int) {
            let text = Self.trimmed(name.prefix { $0 != 0 })
            // Lower case takes three bytes for one at most; a longer part is none of ours, whatever it is.
            func folded(_ part: ArraySlice<UInt8>) -> [UInt8]? {
                let part = Self.trimmed(part)
                return part.count <= 3 * longest ? OwnedNames.lowered(part) : nil
            }
            steps = text.split(maxSplits: most) { $0 == 0x5B || $0 == 0x5D }.prefix(most)
                .map { folded($0).map(Self.flattened) ?? [] }
            let parts = text.split(maxSplits: most, whereSeparator: Self.separates)
            let isWhole = parts.count <= most || parts[most].allSatisfy(Self.separates)
            path = isWhole ? parts.prefix(most).map { folded($0) ?? [] } : nil
            flat = folded(text).map(Self.flattened)
        }

        /// The other is this name, or a place within its value.
        func holds(_ other: Folds) -> Bool {
            flat == other.flat || path == other.path || !steps.isEmpty && other.steps.starts(with: steps)
        }

        private static func separates(_ byte: UInt8) -> Bool { byte == 0x5B || byte == 0x5D || byte == 0x2E }

        private static func flattened(_ text: [UInt8]) -> [UInt8] {
            text.map { separates($0) || $0 == 0x20 ? 0x5F : $0 }
        }

        private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            let end = text.lastIndex { $0 > 0x20 && $0 != 0x7F }.map { $0 + 1 } ?? text.startIndex
            return text[..<end].drop { $0 <= 0x20 || $0 == 0x7F }
        }
    }

    /// As they are attached.
    package let names: [[UInt8]]
    private let folds: [Folds]
    /// What a name in which nothing has to be folded but the case may be.
    private let plain: [[UInt8]]
    /// Parts of the name with the most, and bytes of the longest.
    private let most: Int
    private let longest: Int

    package init(_ names: [[UInt8]]) {
        self.names = names
        let longest = names.map(\.count).max() ?? 0
        self.longest = longest
        folds = names.map { Folds($0[...], most: longest, longest: longest) }
        most = folds.map { max($0.steps.count, $0.path?.count ?? 0) }.max() ?? 0
        plain = folds.flatMap { folds in
            [folds.flat, folds.steps.count == 1 ? folds.steps[0] : nil, folds.path?.count == 1 ? folds.path?[0] : nil]
                .compactMap(\.self)
        }
    }

    package var isEmpty: Bool { names.isEmpty }

    /// - Parameter name: decoded.
    package func contains(_ name: Span<UInt8>) -> Bool {
        var isPlain = true
        for index in name.indices where !Self.isPlain(name[index]) { isPlain = false }
        // Mostly there is nothing else, and then nothing is copied.
        if isPlain { return OwnedFields.contains(plain, name, folding: true) }
        var copy: [UInt8] = []
        copy.append(copying: name)
        let folds = Folds(copy[...], most: most, longest: longest)
        return self.folds.contains { $0.holds(folds) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == 0x5F || byte == 0x2D
    }

    /// In lower case; U+017F is an `s` and U+212A a `k` to who ignores the case (Go, .NET).
    static func lowered(_ name: some Sequence<UInt8>) -> [UInt8] {
        var rest = Array(name)[...]
        var output: [UInt8] = []
        output.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            if byte == 0xC5, rest.first == 0xBF {
                output.append(0x73)
                rest = rest.dropFirst()
            } else if byte == 0xE2, rest.starts(with: [0x84, 0xAA]) {
                output.append(0x6B)
                rest = rest.dropFirst(2)
            } else {
                output.append(ASCII.lower(byte))
            }
        }
        return output
    }

    /// Whether a reader of JSON that ignores the case takes one for the other.
    static func equalInJSON(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        ASCII.equalFolded(a.span, b.span) || lowered(a) == lowered(b)
    }
}
