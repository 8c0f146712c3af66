import Bytes

/// Knows secrets and hides them in any text on its way out: as they are, percent-encoded, JSON-escaped or with references
/// of XML in any mixture and one within the other, and inside base64 (both alphabets, any alignment: `Basic` credentials)
/// or hexadecimal digits. Loop-confined. The last line of defence: secrets should not get here in the first place.
package final class Redactor: CustomReflectable {
    /// Shorter secrets are not looked for: they would match by chance everywhere.
    package static let minimumLength = 4
    /// Secrets added later (session tokens) that are remembered unless told otherwise; the oldest goes first.
    package static let addedLimit = 1024

    private static let mask: [UInt8] = [0x2A, 0x2A, 0x2A]

    private let configured: [[UInt8]]
    private let addedLimit: Int
    private var added: [[UInt8]] = []
    private var index = PatternIndex()

    package init(_ secrets: [[UInt8]] = [], addedLimit: Int = Redactor.addedLimit) {
        self.addedLimit = addedLimit
        configured = secrets.filter { $0.count >= Self.minimumLength }
        for secret in configured { index.insert(secret) }
    }

    /// Nothing to see for `dump` and debuggers.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Remembers a secret learnt at run time. `false` when it is too short to be looked for.
    @discardableResult
    package func add(_ secret: [UInt8]) -> Bool {
        guard secret.count >= Self.minimumLength else { return false }
        guard !added.contains(secret), !configured.contains(secret) else { return true }
        added.append(secret)
        if added.count > addedLimit {
            // Half at once: rebuilding the index for each one would cost too much.
            added.removeFirst(addedLimit / 2)
            rebuild()
        } else {
            index.insert(secret)
        }
        return true
    }

    /// Forgets secrets that `add` brought.
    package func remove(_ secrets: [[UInt8]]) {
        let before = added.count
        added.removeAll { secrets.contains($0) }
        if added.count < before { rebuild() }
    }

    /// The text with every occurrence replaced by `***`; `nil` when there is none (no allocation for plain text).
    package func redact(_ text: Span<UInt8>) -> [UInt8]? {
        let ranges = ranges(in: text)
        guard !ranges.isEmpty else { return nil }
        return Self.masked(text, ranges)
    }

    /// Where secrets stand, in any spelling. Ranges may overlap and come in no order.
    package func ranges(in text: Span<UInt8>) -> [Range<Int>] {
        guard !index.isEmpty, text.count >= Self.minimumLength else { return [] }
        var ranges: [Range<Int>] = []
        index.matches(in: text) { ranges.append($0) }
        for view in DecodedView.all(of: text) {
            index.matches(in: view.bytes.span) { ranges.append(view.original($0)) }
        }
        return ranges
    }

    private func rebuild() {
        index = PatternIndex()
        for secret in configured { index.insert(secret) }
        for secret in added { index.insert(secret) }
    }

    /// The text with these ranges replaced by `***`. Overlapping and touching ranges become one: two secrets that share bytes must not leave the rest of either.
    package static func masked(_ text: Span<UInt8>, _ ranges: [Range<Int>]) -> [UInt8] {
        var output: [UInt8] = []
        var copied = 0
        var end = -1
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > end {
                output.append(copying: text.extracting(copied..<range.lowerBound))
                output.append(contentsOf: mask)
            }
            end = max(end, range.upperBound)
            copied = end
        }
        output.append(copying: text.extracting(copied..<text.count))
        return output
    }
}
