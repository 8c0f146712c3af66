import Bytes
import CurlUpstream
import Domain
import LoopKit
import Testing

/// Records one transfer.
final class Exchange: TransferDelegate {
    var head: UpstreamHead?
    var body: [UInt8] = []
    var bodyCount = 0
    var keepsBody = true
    var isCompleted = false
    var failure: TransferFailure?
    var events = 0
    var onHead: (Exchange) -> Void = { _ in }
    var onPiece: (Exchange) -> TransferFlow = { _ in .proceed }
    var supply: (inout [UInt8], Int) -> BodySupply = { _, _ in .end }
    var onEnd: (Exchange) -> Void = { _ in }
    var transfer: (any UpstreamTransfer)?

    var isOver: Bool { isCompleted || failure != nil }

    func transferReceivedHead(_ head: UpstreamHead) {
        #expect(self.head == nil)
        self.head = head
        events += 1
        onHead(self)
    }
    func transferReceived(_ bytes: Span<UInt8>) -> TransferFlow {
        #expect(head != nil)
        bodyCount += bytes.count
        if keepsBody { body.append(copying: bytes) }
        events += 1
        return onPiece(self)
    }
    func transferNeedsBody(into buffer: inout [UInt8], limit: Int) -> BodySupply { supply(&buffer, limit) }
    func transferCompleted() {
        #expect(!isOver)
        isCompleted = true
        onEnd(self)
    }
    func transferFailed(_ failure: TransferFailure) {
        #expect(!isOver)
        self.failure = failure
        onEnd(self)
    }
}
