/// Half-open range of offsets in 8 bytes: a head is returned by value, and `Range<Int>?` takes 24. 32 bits are plenty, since
/// a head is limited to some KiB.
struct ByteRange: Sendable {
    let start: Int32
    let end: Int32

    init(_ range: Range<Int>) {
        start = Int32(truncatingIfNeeded: range.lowerBound)
        end = Int32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(max(start, end)) }
}
