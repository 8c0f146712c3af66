import Bytes
import Expressions
import HTTPWire

/// How long an upstream wants to be left alone after a login that did not work.
package enum LoginWait {
    /// A lock that lasts longer is looked at once a day.
    package static let longest: Int64 = 86_400

    /// Nanoseconds by `retry_after` of the step; `nil` when it has no value, or one that is over.
    static func told(_ expression: Expression?, _ scope: ExchangeScope) -> UInt64? {
        guard let value = try? expression?.evaluate(scope), !value.isAbsent else { return nil }
        if let seconds = seconds(value.resolved) { return nanoseconds(seconds) }
        return Moment.unixSeconds(value).flatMap { nanoseconds($0 - scope.now.seconds) }
    }

    /// RFC 9110 10.2.3: `Retry-After` of a 429 or 503.
    static func told(_ head: UpstreamHead, wall: Int64) -> UInt64? {
        head.status == 429 || head.status == 503 ? told(head.fields, wall: wall) : nil
    }

    /// Nanoseconds by `Retry-After`, whatever the status.
    static func told(_ fields: PairBlock, wall: Int64) -> UInt64? {
        guard let text = fields.first("retry-after", folding: true) else { return nil }
        if let seconds = ASCII.decimal(text.span).flatMap({ Int64(exactly: $0) }) { return nanoseconds(seconds) }
        return HTTPDate.parse(text.span).flatMap { nanoseconds($0 - wall) }
    }

    /// A number or a duration; a timestamp and other text are points in time.
    private static func seconds(_ value: Value) -> Int64? {
        if case .timestamp = value { return nil }
        return CredentialExpiry.number(value)
    }

    private static func nanoseconds(_ seconds: Int64) -> UInt64? {
        seconds > 0 ? UInt64(min(seconds, longest)) * 1_000_000_000 : nil
    }
}
