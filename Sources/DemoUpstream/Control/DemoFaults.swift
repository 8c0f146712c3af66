/// What goes wrong on purpose. Nothing by default.
struct DemoFaults: Equatable, Sendable {
    /// Nanoseconds before each API answer is sent (the call itself runs at once).
    var delay: UInt64 = 0
    /// The next `failCount` API calls are not run and answered with `failStatus`.
    var failStatus = 503
    var failCount = 0
    /// The next `dropCount` API calls end with a reset connection instead of an answer.
    var dropCount = 0
    /// Whether a dropped call is run before: an order that was placed but never confirmed.
    var runsDropped = false
    /// Seconds added to the server's clock (`Date`, `getServerTime`, the age of `time`).
    var clockOffset: Int64 = 0
}
