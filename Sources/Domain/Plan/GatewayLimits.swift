/// Every limit that holds for the whole gateway. Sizes are bytes, times nanoseconds. Config: `limits`.
package struct GatewayLimits: Sendable, Equatable {
    /// Open downstream connections; above: 503 and close.
    package var connections = 1024
    /// Exchanges under way; above: 503 `overloaded`.
    package var inFlight = 512
    /// Request line; above: 414.
    package var requestLine = 8 * 1024
    /// Whole request head; above: 431.
    package var head = 32 * 1024
    /// Fields of a request head; above: 431.
    package var fields = 100
    /// Field name; above: 431.
    package var fieldName = 256
    /// Requests on one connection; the last answer carries `Connection: close`.
    package var requestsPerConnection = 10_000
    /// Bytes of request bodies that are held whole and of answers that are looked into, all together; above: 503
    /// `overloaded`.
    package var held = 256 * 1024 * 1024
    /// Parameters of a query, and fields of a form or parts of a multipart body that is looked into; above: 400 and 413.
    package var formFields = 10_000
    /// Values and names of a JSON body, elements and attributes of an XML body, that is taken apart; above: 413.
    package var bodyValues = 100_000
    /// Steps of one evaluation of an expression, about 50 ns each; above: 413 or 500.
    package var steps = 1_000_000
    /// From the first byte of a head to its last, in total; 408 and close.
    package var headTime: UInt64 = 10_000_000_000
    /// Between two pieces of a request body; 408 and close.
    package var bodyIdle: UInt64 = 30_000_000_000
    /// Bytes per second that a request body must average after `bodyRateAfter`; 0 = off.
    package var bodyRate = 1024
    package var bodyRateAfter: UInt64 = 10_000_000_000
    /// Idle connection between two requests; closed.
    package var keepAlive: UInt64 = 75_000_000_000
    /// Client that does not read its answer; closed.
    package var writeStall: UInt64 = 30_000_000_000
    /// SIGTERM: longest wait for exchanges under way.
    package var drain: UInt64 = 30_000_000_000
    package init() {}

    /// Open files that all this may need: two for each exchange, a few for the rest.
    package var descriptors: UInt64 { UInt64(connections) * 2 + 256 }
}

/// Limits of one route. Config: `routes[].limits`.
package struct RouteLimits: Sendable, Equatable {
    /// Largest request body; above: 413.
    package var body: UInt64 = 10 * 1024 * 1024
    /// Largest request body that is kept for a replay; above: expiry is passed to the client with the reason.
    package var replay = 1024 * 1024
    /// Largest answer that is looked into (expiry test, envelope); above: `bad_answer` on envelope routes.
    package var inspect = 1024 * 1024
    package init() {}
}
