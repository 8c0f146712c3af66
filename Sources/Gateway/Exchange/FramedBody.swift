import Domain
import LoopKit
import Bytes

/// A streamed request body on its way through a frame: what the frame has made and the transport has not yet taken.
struct FramedBody {
    private let framer: any BodyFramer
    private var output = ByteQueue()
    private var isComplete = false

    init(_ framer: any BodyFramer) { self.framer = framer }

    /// Everything made so far is gone, and more may come.
    var isDry: Bool { output.isEmpty && !isComplete }

    mutating func take(_ bytes: ArraySlice<UInt8>, isLast: Bool) {
        var framed: [UInt8] = []
        framer.frame(bytes.span, into: &framed)
        if isLast {
            framer.finish(into: &framed)
            isComplete = true
        }
        output.append(framed)
    }

    mutating func supply(into buffer: inout [UInt8], limit: Int) -> BodySupply {
        let count = min(limit, output.count)
        buffer.append(contentsOf: output.slice.prefix(count))
        output.consume(count)
        if output.isEmpty, isComplete { return .end }
        return count > 0 ? .more : .wait
    }
}
