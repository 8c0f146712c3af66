import Domain
import LoopKit

/// A body that comes in the client's own frame (S3's `aws-chunked`) and goes on without it.
extension Exchange {
    func framedReceived(_ piece: [UInt8]) -> TransferFlow {
        var content: [UInt8] = []
        do throws(GatewayError) {
            try unframer?.take(piece.span, into: &content)
        } catch {
            bodyFailed(error)
            return .proceed
        }
        return content.isEmpty ? .proceed : contentReceived(content)
    }

    /// The body ended: what the frame kept back comes out, if all that it announced is true.
    func endFrame() {
        var content: [UInt8] = []
        do throws(GatewayError) {
            try unframer?.finish(into: &content)
        } catch {
            return bodyFailed(error)
        }
        // Nothing more can come, so nobody has to be paused.
        if !content.isEmpty { _ = contentReceived(content) }
    }
}
