import Bytes
package import Expressions

/// The first place where two strings to sign differ, with what stands around it in each. Offsets count in the texts that
/// are given, which may be redacted.
package struct EchoDifference: Equatable {
    /// Bytes shown before and behind the place.
    private static let reach = 32

    /// From 0.
    package let offset: Int
    /// From 1.
    package let line: Int
    package let ours: [UInt8]
    package let theirs: [UInt8]

    /// Nil when they are equal.
    package init?(ours: [UInt8], theirs: [UInt8]) {
        let offset = Self.common(ours[...], theirs[...])
        guard offset < ours.count || offset < theirs.count else { return nil }
        self.offset = offset
        line = ours[..<offset].count { $0 == 0x0A } + 1
        self.ours = Self.around(offset, ours)
        self.theirs = Self.around(offset, theirs)
    }

    /// The variable that shares the longest beginning with the upstream's string: that one is the string to sign. Only texts
    /// and bytes come into question.
    package static func nearest(to theirs: ArraySlice<UInt8>, among values: [Value]) -> ArraySlice<UInt8>? {
        var best: ArraySlice<UInt8>?
        var most = -1
        for text in values.compactMap(\.contents) {
            let count = common(text, theirs)
            if count > most { (best, most) = (text, count) }
        }
        return best
    }

    private static func common(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int {
        var count = 0
        for (left, right) in zip(a, b) {
            if left != right { break }
            count += 1
        }
        return count
    }

    private static func around(_ offset: Int, _ text: [UInt8]) -> [UInt8] {
        Array(text[max(0, offset - reach)..<min(text.count, offset + reach)])
    }
}
