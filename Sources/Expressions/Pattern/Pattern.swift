import Bytes

/// A regular expression in the syntax of RE2 (no look-around, no back-references), matched in time linear in the
/// text by running all alternatives at once. Works on code points; a byte that is no UTF-8 is one U+FFFD.
final class Pattern: Sendable {
    struct Failure: Error {
        var message: String
    }

    enum Assertion: Sendable { case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary }

    enum Instruction: Sendable {
        case scalar(UInt32)
        case set(ScalarSet)
        case any
        case split(Int, Int)
        case jump(Int)
        case check(Assertion)
        /// Notes the position under a number (2n: group n begins, 2n + 1: it ends).
        case save(Int)
        case match
    }

    let program: [Instruction]
    /// Bytes that a match can begin with; `nil` when it can be empty.
    private let firstBytes: [Bool]?
    /// Every match begins at the start of the text.
    private let isAnchored: Bool

    /// - Throws: what is wrong with the source, for the one who wrote it.
    init(_ source: ArraySlice<UInt8>) throws(Failure) {
        var parser = PatternParser(source)
        var builder = PatternProgram()
        try builder.emit(try parser.parse())
        program = builder.finish()
        firstBytes = Pattern.firstBytes(of: program)
        if case .check(.textStart)? = program.first { isAnchored = true } else { isAnchored = false }
    }

    /// Whether the pattern matches anywhere in the text; `nil` when that takes more steps than are left. A step is
    /// eight visits of an instruction or 64 bytes passed over.
    func matches(_ text: Span<UInt8>, steps: inout Int) -> Bool? {
        var run = PatternRun(program, text)
        var (position, previous): (Int, UInt32?) = (0, nil)
        while true {
            let (scalar, length) = position < text.count ? Pattern.scalar(text, at: position) : (0, 0)
            let next = length > 0 ? scalar : nil
            if position == 0 || !isAnchored, run.start(previous: previous, next: next) { return true }
            steps -= run.takeVisits() >> 3
            if steps < 0 { return nil }
            guard length > 0 else { return false }
            let after = position + length
            let following = after < text.count ? Pattern.scalar(text, at: after).scalar : nil
            if run.consume(scalar, following) { return true }
            (position, previous) = (after, scalar)
            guard run.isIdle else { continue }
            if isAnchored { return false }
            guard let firstBytes else { continue }
            let from = position
            while position < text.count, !firstBytes[Int(text[position])] { position += 1 }
            steps -= (position - from) >> 6
            if position == text.count { return false }
            guard position > from else { continue }
            previous = Pattern.scalar(before: position, in: text)
            run.jumped()
        }
    }

    /// The code point at a position and its length in bytes.
    static func scalar(_ text: Span<UInt8>, at position: Int) -> (scalar: UInt32, length: Int) {
        let first = text[position]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first >= 0xF0 ? 4 : (first >= 0xE0 ? 3 : 2)
        guard first >= 0xC2, first < 0xF5, position + length <= text.count else { return (0xFFFD, 1) }
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for offset in 1..<length {
            let byte = text[position + offset]
            guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return UnicodeScalar(value) == nil || (length == 3 && value < 0x800) || (length == 4 && value < 0x1_0000)
            ? (0xFFFD, 1) : (value, length)
    }

    static func scalar(before position: Int, in text: Span<UInt8>) -> UInt32 {
        var start = position - 1
        while start > 0, position - start < 4, text[start] & 0xC0 == 0x80 { start -= 1 }
        let found = scalar(text, at: start)
        return start + found.length == position ? found.scalar : 0xFFFD
    }

    static func firstBytes(of program: [Instruction]) -> [Bool]? {
        var bytes = [Bool](repeating: false, count: 256)
        var (seen, stack): (Set<Int>, [Int]) = ([], [0])
        while let index = stack.popLast() {
            guard seen.insert(index).inserted else { continue }
            switch program[index] {
            case .scalar(let value): bytes[Int(UTF8.encode(UnicodeScalar(value) ?? "?")?.first ?? 0x3F)] = true
            case .set(let set):
                for byte in 0..<128 where set.contains(UInt32(byte)) { bytes[byte] = true }
                for byte in 128..<256 { bytes[byte] = true }
            case .any: return nil
            case .split(let first, let second): stack += [first, second]
            case .jump(let target): stack.append(target)
            case .check, .save: stack.append(index + 1)
            case .match: return nil
            }
        }
        // A literal U+FFFD also matches bytes that are no UTF-8.
        if bytes[0xEF] { for byte in 128..<256 { bytes[byte] = true } }
        return bytes
    }
}
