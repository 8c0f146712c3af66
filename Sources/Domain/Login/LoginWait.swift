import Bytes
import Expressions
import HTTPWire

/// How long an upstream wants to be left alone after a login that did not work.
package enum LoginWait {
    /// A lock that lasts longer is looked at once a day.
    package static let longest: Int64 = 86_400

    /// Nanoseconds by `retry_after` of the step, else by the field `Retry-After`: whoever says when to come back has not
    /// refused for good, whatever the status. `nil`: neither has a value, or one that is not over.
    static func told(_ expression: Expression?, _ head: UpstreamHead, _ scope: ExchangeScope) -> UInt64? {
        told(expression, scope) ?? told(head.fields, wall: scope.now.seconds)
    }

    private static func told(_ expression: Expression?, _ scope: ExchangeScope) -> UInt64? {
        guard let value = try? expression?.evaluate(scope), !value.isAbsent else { return nil }
        if let seconds = seconds(value.resolved) { return nanoseconds(seconds) }
        return Moment.unixSeconds(value).flatMap { nanoseconds($0 - scope.now.seconds) }
    }

    /// Nanoseconds by `Retry-After` (RFC 9110 10.2.3).
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
