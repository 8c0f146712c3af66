/// An answer on its way out.
struct DemoResponse {
    enum Content {
        case bytes([UInt8])
        /// So many bytes of the pattern, made while they are sent.
        case pattern(UInt64, chunked: Bool)
    }

    var status = 200
    var contentType: StaticString = "application/json"
    var content: Content
    var closes = false
    /// Nanoseconds to wait before it is sent.
    var delay: UInt64 = 0
    /// Break the connection instead.
    var drops = false
    var effect = ControlAnswer.Effect.none
}
