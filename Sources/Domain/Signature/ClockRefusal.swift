package import Bytes
package import Expressions
import HTTPWire

/// Reads what `clock_refused` says of an answer.
package enum ClockRefusal {
    /// Unix seconds by the upstream's clock when it refused the time of a signature; nil when it did not, or when it does
    /// not tell its time. A test that errs (a field is missing, the body is no JSON) is false.
    package static func upstreamTime(
        told test: Expression, _ scope: ExchangeScope, _ fields: PairBlock
    ) throws(Undecided) -> Int64? {
        guard let value = try test.settled(scope) else { return nil }
        if case .bool(let isRefused) = value.resolved { return isRefused ? date(fields) : nil }
        return Moment.unixSeconds(value)
    }

    /// A date that a cache kept says nothing about now (RFC 9110 5.1).
    private static func date(_ fields: PairBlock) -> Int64? {
        guard fields.first("age", folding: true) == nil, let date = fields.first("date", folding: true) else {
            return nil
        }
        return HTTPDate.parse(date.span)
    }
}
