/// A whole answer, ready for the wire.
package struct RenderedAnswer: Sendable, Equatable {
    package var status: Int
    package var contentType: [UInt8]
    package var body: [UInt8]
    /// What the envelopes could not read of the upstream's answer, or could not render.
    package var faults: [EnvelopeFault]

    package init(status: Int, contentType: [UInt8], body: [UInt8], faults: [EnvelopeFault] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.faults = faults
    }

    /// The declared rendering errs: this is the standard envelope instead.
    package var gaveWay: Bool { faults.contains { $0.part == .render } }
}
