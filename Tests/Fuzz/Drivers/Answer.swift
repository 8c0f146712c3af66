import Bytes
import HTTPWire

/// Whatever an upstream sends, however it is split: no trap, and the split changes nothing.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let size = Int(input[0] & 63) + 1
    let text = Array(input[1...])
    let whole = outcome(of: text, by: text.count)
    let pieces = outcome(of: text, by: size)
    // A peer of another protocol is refused before its line ends, and so sooner in small pieces: with the same fault.
    if !(whole.fault != nil && pieces.fault != nil) { require(whole == pieces) }
    require(whole.body.count <= text.count)
    return 0
}

private struct Outcome: Equatable {
    var status = 0
    var body: [UInt8] = []
    var isEnded = false
    var fault: WireFault?
}

private func outcome(of text: [UInt8], by size: Int) -> Outcome {
    var reader = AnswerReader(isHead: false, maxFields: 200, maxInterim: 16)
    var outcome = Outcome()
    var start = 0
    while start < text.count, !outcome.isEnded, outcome.fault == nil {
        let piece = Array(text[start..<min(start + size, text.count)])
        start += piece.count
        read(&reader, piece, &outcome)
    }
    if reader.endsWithConnection { outcome.isEnded = true }
    return outcome
}

private func read(_ reader: inout AnswerReader, _ piece: [UInt8], _ outcome: inout Outcome) {
    var position = 0
    do throws(WireFault) {
        while true {
            switch try reader.next(piece.span, at: &position) {
            case .needMore:
                require(position == piece.count)
                return
            case .head:
                require(reader.head.isFinalComplete && reader.head.status >= 200)
                outcome.status = reader.head.status
            case .body(let range):
                require(!range.isEmpty && range.upperBound == position)
                outcome.body += piece[range]
            case .end:
                outcome.isEnded = true
                return
            }
        }
    } catch {
        outcome.fault = error
    }
}

private func require(_ condition: Bool, line: Int = #line) {
    if !condition { fatalError("line \(line)") }
}
