/// A whole answer, ready for the wire.
package struct RenderedAnswer: Sendable, Equatable {
    package var status: Int
    package var contentType: [UInt8]
    package var body: [UInt8]
    /// What the envelope could not read of the upstream's answer.
    package var faults: [EnvelopeFault] = []

    package init(status: Int, contentType: [UInt8], body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}
