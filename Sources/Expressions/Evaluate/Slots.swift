import Bytes

/// Where macros keep their variables, by how deep the macro stands. The first is in place: most recipes have macros inside
/// none, and an array is an allocation.
struct Slots {
    private var first = Value.null
    private var others: [Value]
    /// The pair that the innermost loop over pairs stands at, in parts, and its slot: taking a pair out of a value for
    /// each look is a fifth of a signature's time.
    private var pairSlot = -1
    private var pairBytes: [UInt8] = []
    private var pair = PairBlock.Entry(nameStart: 0, nameCount: 0, valueStart: 0, valueCount: 0)

    init(count: Int) { others = count > 1 ? Array(repeating: .null, count: count - 1) : [] }

    subscript(index: Int) -> Value {
        get {
            if index == pairSlot { return .pair(PairRecord(bytes: pairBytes, entry: pair)) }
            return index == 0 ? first : others[index - 1]
        }
        set {
            if index == pairSlot { pairSlot = -1 }
            if index == 0 { first = newValue } else { others[index - 1] = newValue }
        }
    }

    /// A loop over pairs begins, or goes on behind one inside it.
    mutating func begin(pairsIn bytes: [UInt8], at slot: Int) {
        // The pair of a loop around this one is kept as any value is.
        if pairSlot >= 0, pairSlot != slot { self[pairSlot] = self[pairSlot] }
        (pairSlot, pairBytes) = (slot, bytes)
    }

    /// The next pair of the loop that has begun with these bytes.
    mutating func move(to entry: PairBlock.Entry, in bytes: [UInt8], at slot: Int) {
        if pairSlot != slot { begin(pairsIn: bytes, at: slot) }
        pair = entry
    }

    /// Gives the name or the value of the pair in a slot to the body; `nil` when there is no pair.
    @inline(__always)
    func withPart<Result>(of slot: Int, isValue: Bool, _ body: (Span<UInt8>) -> Result) -> Result? {
        if slot == pairSlot { return body(pairBytes.span.extracting(isValue ? pair.values : pair.names)) }
        guard case .pair(let record) = self[slot] else { return nil }
        let bytes = record.bytes
        return body(bytes.span.extracting(isValue ? record.entry.values : record.entry.names))
    }
}
