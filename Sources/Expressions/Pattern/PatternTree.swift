/// A parsed regular expression.
indirect enum PatternTree {
    case empty
    case scalar(UInt32)
    case set(ScalarSet)
    case any
    case check(Pattern.Assertion)
    case sequence([PatternTree])
    case alternatives([PatternTree])
    /// `isLazy`: as few as possible. That changes which match is found, not whether there is one.
    case repetition(PatternTree, atLeast: Int, atMost: Int?, isLazy: Bool)
    /// A group whose text can be asked for, numbered from 1.
    case group(PatternTree, Int)
}

/// Turns the tree into instructions.
struct PatternProgram {
    /// Bounds what counted repetitions inside each other can grow to.
    private static let limit = 10_000
    private var instructions: [Pattern.Instruction] = []
    private let keepsGroups: Bool

    /// - Parameter keepsGroups: Notes where groups begin and end; whether there is a match needs none of that.
    init(keepsGroups: Bool = false) { self.keepsGroups = keepsGroups }

    mutating func emit(_ tree: PatternTree) throws(Pattern.Failure) {
        guard instructions.count < PatternProgram.limit else { throw Pattern.Failure(message: "pattern is too large") }
        switch tree {
        case .empty: break
        case .scalar(let value): instructions.append(.scalar(value))
        case .set(let set): instructions.append(.set(set))
        case .any: instructions.append(.any)
        case .check(let assertion): instructions.append(.check(assertion))
        case .sequence(let parts): for part in parts { try emit(part) }
        case .alternatives(let parts): try alternatives(parts[...])
        case .repetition(let part, let least, let most, let isLazy): try repetition(part, least, most, isLazy)
        case .group(let part, let number):
            guard keepsGroups else { return try emit(part) }
            instructions.append(.save(2 * number))
            try emit(part)
            instructions.append(.save(2 * number + 1))
        }
    }

    private mutating func alternatives(_ parts: ArraySlice<PatternTree>) throws(Pattern.Failure) {
        var ends: [Int] = []
        for (index, part) in parts.enumerated() {
            guard index < parts.count - 1 else {
                try emit(part)
                break
            }
            let split = instructions.count
            instructions.append(.match)
            try emit(part)
            ends.append(instructions.count)
            instructions.append(.match)
            instructions[split] = .split(split + 1, instructions.count)
        }
        for end in ends { instructions[end] = .jump(instructions.count) }
    }

    private mutating func repetition(_ part: PatternTree, _ least: Int, _ most: Int?, _ isLazy: Bool) throws(Pattern
        .Failure)
    {
        for _ in 0..<least { try emit(part) }
        guard let most else {
            let split = instructions.count
            instructions.append(.match)
            try emit(part)
            instructions.append(.jump(split))
            instructions[split] = fork(split, isLazy)
            return
        }
        var splits: [Int] = []
        for _ in least..<max(least, most) {
            splits.append(instructions.count)
            instructions.append(.match)
            try emit(part)
        }
        for split in splits { instructions[split] = fork(split, isLazy) }
    }

    /// Into the part that follows, or past the end; what comes first is preferred.
    private func fork(_ split: Int, _ isLazy: Bool) -> Pattern.Instruction {
        isLazy ? .split(instructions.count, split + 1) : .split(split + 1, instructions.count)
    }

    func finish() -> [Pattern.Instruction] { instructions + [.match] }
}
