/// What the control API answers, and what the driver must do besides.
struct ControlAnswer: Equatable, Sendable {
    enum Effect: Equatable, Sendable {
        case none
        /// Close the listeners and every connection; listen again after so many milliseconds.
        case down(milliseconds: UInt64)
    }

    var status = 200
    /// JSON.
    var body: [UInt8]
    var effect = Effect.none
}
