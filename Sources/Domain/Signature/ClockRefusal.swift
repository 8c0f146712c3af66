package import Bytes
package import Expressions
import HTTPWire

/// Reads what `clock_refused` says of an answer.
package enum ClockRefusal {
    /// Unix seconds by the upstream's clock when it refused the time of a signature; nil when it did not, or when it does
    /// not tell its time. A test that errs (a field is missing, the body is no JSON) is false.
    package static func upstreamTime(told test: Expression, _ scope: ExchangeScope, _ fields: PairBlock) -> Int64? {
        guard let value = try? test.evaluate(scope) else { return nil }
        switch value.resolved {
        case .bool(true): return date(fields)
        case .timestamp(let time): return time.seconds
        case .int(let number): return seconds(number)
        case .double(let number): return Int64(exactly: number.rounded(.towardZero)).map(seconds)
        case .string(let text): return time(text)
        case .optional(.some(.timestamp(let time))): return time.seconds
        default: return nil
        }
    }

    /// A date as HTTP writes it, RFC 3339, or digits.
    private static func time(_ text: ArraySlice<UInt8>) -> Int64? {
        if let number = ASCII.decimal(text.span) { return Int64(exactly: number).map(seconds) }
        return HTTPDate.parse(text.span) ?? Timestamp(rfc3339: text)?.seconds
    }

    /// Unix seconds above this would be the year 5138: those are milliseconds.
    private static func seconds(_ number: Int64) -> Int64 {
        number.magnitude > 100_000_000_000 ? number / 1000 : number
    }

    /// A date that a cache kept says nothing about now (RFC 9110 5.1).
    private static func date(_ fields: PairBlock) -> Int64? {
        guard fields.first("age", folding: true) == nil, let date = fields.first("date", folding: true) else {
            return nil
        }
        return HTTPDate.parse(date.span)
    }
}
