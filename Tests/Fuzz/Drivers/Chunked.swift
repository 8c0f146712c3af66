import Bytes
import HTTPWire

/// Whatever the bytes: no trap, one verdict for every split, never more out than in, and a decoded body survives coding.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let whole = decode(input, piece: max(count, 1))
    require(whole.consumed <= count && whole.body.count <= whole.consumed)
    require(UInt64(whole.body.count) <= whole.announced)
    if case .needMore = whole.state { require(whole.consumed == count) }
    if case .done = whole.state {
        require(UInt64(whole.body.count) == whole.announced && input[whole.consumed - 1] == 0x0A)
    }
    require(decode(input, piece: 1) == whole)
    require(decode(input, piece: 1 + pseudoRandom(input) % max(count, 1)) == whole)
    roundTrip(input)
    return 0
}

private struct Result: Equatable {
    var body: [UInt8] = []
    var consumed = 0
    var announced: UInt64 = 0
    var state = ChunkProgress.State.needMore
}

private func decode(_ input: [UInt8], piece: Int) -> Result {
    var decoder = ChunkedDecoder(bodyLimit: 1 << 40)
    var result = Result()
    while result.state == .needMore, result.consumed < input.count {
        let part = input[result.consumed...].prefix(piece)
        let before = result.body.count
        let progress = decoder.decode(part.span, into: &result.body)
        require(progress.consumed <= part.count && result.body.count - before <= progress.consumed)
        result.consumed += progress.consumed
        result.state = progress.state
    }
    result.announced = decoder.decodedCount
    return result
}

private func roundTrip(_ input: [UInt8]) {
    var coded: [UInt8] = []
    ChunkedEncoder.appendChunk(input.span, to: &coded)
    ChunkedEncoder.appendLastChunk(to: &coded)
    let again = decode(coded, piece: 7)
    require(again.state == .done && again.body == input && again.consumed == coded.count)
}

private func pseudoRandom(_ input: [UInt8]) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in input { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash >> 1)
}

private func require(_ condition: Bool, line: Int = #line) {
    if !condition { fatalError("line \(line)") }
}
