import JSONBytes

/// What happened since the start or the last reset.
struct ShopCounters: Equatable, Sendable {
    /// API calls that reached the shop (not the control API, not answers of a fault).
    var requests = 0
    var logins = 0
    var loginFailures = 0
    var signatureRefusals = 0
    var clockRefusals = 0
    var tokenRefusals = 0
    var orders = 0
    /// Orders whose `order_ref` had been seen before.
    var duplicateOrders = 0
    /// API calls answered by an injected fault.
    var faults = 0
    /// Connections accepted.
    var connections = 0

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        let rows: [(StaticString, Int)] = [
            ("requests", requests), ("logins", logins), ("login_failures", loginFailures),
            ("signature_refusals", signatureRefusals), ("clock_refusals", clockRefusals),
            ("token_refusals", tokenRefusals), ("orders", orders), ("duplicate_orders", duplicateOrders),
            ("faults", faults), ("connections", connections),
        ]
        for (name, value) in rows {
            writer.key(name)
            writer.int(value)
        }
        writer.endObject()
    }
}
