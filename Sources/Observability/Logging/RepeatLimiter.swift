import Bytes

/// Lets one event of a kind through per window and counts the others. Pure: time comes in.
struct RepeatLimiter {
    /// A kind of event and how often it was held back.
    struct Kind {
        let level: LogLevel
        let message: StaticString
        let subject: [UInt8]
        var windowStart: UInt64
        var count: UInt64
    }

    /// Kinds remembered at once. Subjects are configured names, so this is a backstop: beyond it nothing is held back.
    static let kindLimit = 1024

    private let window: UInt64
    private var kinds: [[UInt8]: Kind] = [:]

    init(window: UInt64) { self.window = window }

    /// `nil`: hold the event back. A number: let it through, so many were held back before it.
    mutating func admit(_ level: LogLevel, _ message: StaticString, _ subject: [UInt8], now: UInt64) -> UInt64? {
        let key = message.bytes + [0] + subject
        if let kind = kinds[key], !hasEnded(kind, now) {
            kinds[key]?.count = kind.count &+ 1
            return nil
        }
        let count = kinds[key]?.count ?? 0
        guard kinds[key] != nil || kinds.count < Self.kindLimit else { return 0 }
        kinds[key] = Kind(level: level, message: message, subject: subject, windowStart: now, count: 0)
        return count
    }

    /// Forgets the kinds whose window has ended (or all) and returns those that were held back, in a stable order.
    mutating func drain(now: UInt64, all: Bool) -> [Kind] {
        let ended = kinds.filter { all || hasEnded($0.value, now) }
        for key in ended.keys { kinds[key] = nil }
        return ended.filter { $0.value.count > 0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    /// A clock that was set back ends the window too: silence until it catches up would be worse.
    private func hasEnded(_ kind: Kind, _ now: UInt64) -> Bool {
        now < kind.windowStart || now - kind.windowStart >= window
    }
}
