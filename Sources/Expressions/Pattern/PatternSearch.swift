import Bytes

/// Finds where a pattern matches and what its groups hold: the leftmost match, and of several there the one that RE2 and
/// Perl prefer. Time linear in the text for each match, as every state is visited once per code point.
final class PatternSearch: Sendable {
    /// The match and its groups, in the order of their opening parentheses; `nil`: the group took no part.
    typealias Found = [Range<Int>?]

    /// One way to match that is still open.
    private struct Attempt {
        var instruction: Int
        /// Where each group begins and ends; -1: not yet.
        var saves: [Int]
    }

    private let program: [Pattern.Instruction]
    /// Bytes that a match can begin with; `nil` when it can be empty.
    private let firstBytes: [Bool]?
    /// Groups in parentheses, without the whole.
    let groups: Int

    /// - Throws: what is wrong with the source, for the one who wrote it.
    init(_ source: ArraySlice<UInt8>) throws(Pattern.Failure) {
        var parser = PatternParser(source)
        var builder = PatternProgram(keepsGroups: true)
        try builder.emit(try parser.parse())
        program = builder.finish()
        groups = parser.groups
        firstBytes = Pattern.firstBytes(of: program)
    }

    /// Steps of one attempt at one code point: it carries all groups along.
    private var attemptSteps: Int { 4 + groups >> 2 }

    /// The first match at or behind a position; `nil`: there is none.
    /// - Parameter steps: what is left to do; below zero the search gave up.
    func find(in text: Span<UInt8>, from start: Int, steps: inout Int) -> Found? {
        steps -= program.count >> 5
        var marks = [Int](repeating: -1, count: program.count)
        var (attempts, best): ([Attempt], [Int]?) = ([], nil)
        var position = start
        var previous = start > 0 ? Pattern.scalar(before: start, in: text) : nil
        let empty = [Int](repeating: -1, count: 2 * groups + 2)
        while true {
            if attempts.isEmpty, best == nil, let firstBytes {
                let from = position
                while position < text.count, !firstBytes[Int(text[position])] { position += 1 }
                steps -= (position - from) >> 5
                if position == text.count { return nil }
                if position > from { previous = Pattern.scalar(before: position, in: text) }
            }
            let (scalar, length) = position < text.count ? Pattern.scalar(text, at: position) : (0, 0)
            let next = length > 0 ? scalar : nil
            // A match that begins here is worth less than all that began before it.
            if best == nil {
                var saves = empty
                saves[0] = position
                attempts.append(Attempt(instruction: 0, saves: saves))
            }
            var waiting: [Attempt] = []
            steps -= attemptSteps
            for attempt in attempts {
                if let end = follow(attempt, position, previous, next, &marks, &waiting, &steps) {
                    // Those behind it are worth less.
                    best = end
                    break
                }
            }
            guard length > 0, !waiting.isEmpty || best == nil, steps >= 0 else { break }
            attempts = waiting.filter { fits(program[$0.instruction], scalar) }
            for index in attempts.indices { attempts[index].instruction += 1 }
            position += length
            previous = scalar
        }
        guard steps >= 0, let best else { return nil }
        return (0...groups).map { best[2 * $0] >= 0 && best[2 * $0 + 1] >= 0 ? best[2 * $0]..<best[2 * $0 + 1] : nil }
    }

    private func fits(_ instruction: Pattern.Instruction, _ scalar: UInt32) -> Bool {
        switch instruction {
        case .scalar(let value): value == scalar
        case .set(let set): set.contains(scalar)
        case .any: true
        default: false
        }
    }

    /// Everything that consumes nothing, the preferred way first. The saves of a match when that reaches the end.
    private func follow(
        _ attempt: Attempt, _ position: Int, _ previous: UInt32?, _ next: UInt32?, _ marks: inout [Int],
        _ waiting: inout [Attempt], _ steps: inout Int
    ) -> [Int]? {
        var stack = [attempt]
        while var top = stack.popLast() {
            if marks[top.instruction] == position { continue }
            marks[top.instruction] = position
            steps -= attemptSteps
            switch program[top.instruction] {
            case .match:
                top.saves[1] = position
                return top.saves
            case .jump(let target): stack.append(Attempt(instruction: target, saves: top.saves))
            case .split(let one, let two):
                stack.append(Attempt(instruction: two, saves: top.saves))
                stack.append(Attempt(instruction: one, saves: top.saves))
            case .check(let assertion):
                guard PatternRun.holds(assertion, previous, next) else { continue }
                stack.append(Attempt(instruction: top.instruction + 1, saves: top.saves))
            case .save(let slot):
                top.saves[slot] = position
                stack.append(Attempt(instruction: top.instruction + 1, saves: top.saves))
            case .scalar, .set, .any: waiting.append(top)
            }
        }
        return nil
    }
}
