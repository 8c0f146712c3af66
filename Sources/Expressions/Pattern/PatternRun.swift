import Bytes

/// The states that a match is in, while it walks over a text. Each instruction is visited at most once per code point.
struct PatternRun {
    private let program: [Pattern.Instruction]
    private var current: [Int] = []
    /// Storage of the states before the last code point.
    private var other: [Int] = []
    private var stack: [Int] = []
    /// Number of the code point at which an instruction was last visited.
    private var marks: [Int]
    private var generation = 1
    private var visits = 0

    init(_ program: [Pattern.Instruction], _ text: Span<UInt8>) {
        self.program = program
        marks = Array(repeating: 0, count: program.count)
    }

    /// No match is under way.
    var isIdle: Bool { current.isEmpty }

    mutating func takeVisits() -> Int {
        defer { visits &= 7 }
        return visits
    }

    /// Begins a match here; true when it is already complete.
    mutating func start(previous: UInt32?, next following: UInt32?) -> Bool { add(0, previous, following) }

    /// The position changed without `consume`: what was visited there says nothing about here.
    mutating func jumped() { generation += 1 }

    /// Moves all matches over one code point; true when one is complete.
    mutating func consume(_ scalar: UInt32, _ following: UInt32?) -> Bool {
        generation += 1
        swap(&current, &other)
        current.removeAll(keepingCapacity: true)
        var index = 0
        while index < other.count {
            visits += 1
            let state = other[index]
            let fits =
                switch program[state] {
                case .scalar(let value): value == scalar
                case .set(let set): set.contains(scalar)
                case .any: true
                default: false
                }
            if fits, add(state + 1, scalar, following) { return true }
            index += 1
        }
        return false
    }

    /// Follows everything that consumes nothing; true when that reaches the end of the pattern.
    private mutating func add(_ first: Int, _ previous: UInt32?, _ following: UInt32?) -> Bool {
        stack.append(first)
        while let index = stack.popLast() {
            if marks[index] == generation { continue }
            marks[index] = generation
            visits += 1
            switch program[index] {
            case .match:
                stack.removeAll(keepingCapacity: true)
                return true
            case .jump(let target): stack.append(target)
            case .split(let one, let two):
                stack.append(two)
                stack.append(one)
            case .check(let assertion):
                if PatternRun.holds(assertion, previous, following) { stack.append(index + 1) }
            case .save: stack.append(index + 1)
            case .scalar, .set, .any: current.append(index)
            }
        }
        return false
    }

    static func holds(_ assertion: Pattern.Assertion, _ previous: UInt32?, _ next: UInt32?) -> Bool {
        switch assertion {
        case .textStart: previous == nil
        case .textEnd: next == nil
        case .lineStart: previous == nil || previous == 0x0A
        case .lineEnd: next == nil || next == 0x0A
        case .wordBoundary: isWord(previous) != isWord(next)
        case .noWordBoundary: isWord(previous) == isWord(next)
        }
    }

    private static func isWord(_ scalar: UInt32?) -> Bool { scalar.map { ScalarSet.Item.word.contains($0) } ?? false }
}
