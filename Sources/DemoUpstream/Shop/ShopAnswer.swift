/// What the shop answers.
struct ShopAnswer: Equatable, Sendable {
    /// HTTP status: 200 for all JSON, also failures.
    var status = 200
    var body: [UInt8]
}
