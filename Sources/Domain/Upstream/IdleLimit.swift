package import Bytes

/// How long an idle connection may have rested and still carry a request that must not be repeated. The upstream closes
/// idle connections at an age of its own; a POST that meets the closing is lost (measured with others' proxies: 0.06 to
/// 0.2 % of POSTs at 20 ms idle). So they use 80 % of what was announced or seen; idempotent requests probe beyond it.
package struct IdleLimit: Sendable {
    /// Losses in a row, and how long they keep such requests off pooled connections.
    private static let (mostLosses, mistrust): (Int, UInt64) = (2, 60_000_000_000)

    private var cap: UInt64
    private var learned: UInt64
    private var losses = 0
    private var mistrustedUntil: UInt64 = 0

    /// - Parameter cap: nanoseconds after which the pool drops a connection anyway.
    package init(cap: UInt64) {
        self.cap = cap
        learned = cap
    }

    /// The pool keeps connections for another time. What was learned stays when it is shorter.
    package mutating func capped(at cap: UInt64) {
        learned = learned == self.cap ? cap : min(learned, cap)
        self.cap = cap
    }

    /// Nanoseconds of rest below which a request that must not be repeated may still go out.
    package func forUnsafeMethods(now: UInt64) -> UInt64 { now < mistrustedUntil ? 0 : learned / 5 * 4 }

    /// A request on a pooled connection ended with it, before any byte of an answer. Devices close after each answer without
    /// saying so, a moment later; the second in a row tells.
    package mutating func lost(now: UInt64) {
        losses += 1
        guard losses >= Self.mostLosses else { return }
        (losses, mistrustedUntil) = (Self.mostLosses - 1, now &+ Self.mistrust)
    }

    /// A pooled connection brought an answer.
    package mutating func served() { losses = 0 }

    /// The upstream closed a connection after so long. A shorter time than before counts at once; a longer one at most
    /// doubles it, so that one restart of the upstream does not teach a wrong limit for ever.
    package mutating func observed(_ age: UInt64) {
        let (twice, overflow) = learned.multipliedReportingOverflow(by: 2)
        // A second: from nothing, doubling leads nowhere.
        learned = min(age, overflow ? cap : max(twice, 1_000_000_000), cap)
    }

    /// `Keep-Alive: timeout=5` tells how long the upstream keeps an idle connection.
    package mutating func announced(_ fields: PairBlock) {
        guard let value = fields.first("keep-alive", folding: true), let seconds = Self.timeout(value.span) else {
            return
        }
        learned = min(learned, cap, seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
    }

    /// `timeout=5, max=100`; at most a day counts.
    private static func timeout(_ value: Span<UInt8>) -> UInt64? {
        let name: [UInt8] = Array("timeout=".utf8)
        var start = 0
        while start + name.count < value.count {
            if ASCII.equalFolded(value.extracting(start..<start + name.count), name.span) {
                var end = start + name.count
                while end < value.count, ASCII.isDigit(value[end]) { end += 1 }
                return ASCII.decimal(value.extracting(start + name.count..<end)).map { min($0, 86_400) }
            }
            start += 1
        }
        return nil
    }
}
