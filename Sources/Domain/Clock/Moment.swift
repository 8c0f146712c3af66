import Bytes
package import Expressions
import HTTPWire

/// A point in time as upstreams tell it: in an expiry, in the refusal of a signature's time, in the end of a lock.
package enum Moment {
    /// Unix seconds. A timestamp; a number of seconds or (from 10^11 on, which would be the year 5138) milliseconds, also
    /// as text; RFC 3339, also with a blank for the `T` or an offset without a colon; a date as HTTP writes it. `nil` for
    /// everything else, local times without an offset among it.
    package static func unixSeconds(_ value: Value) -> Int64? {
        switch value.resolved {
        case .timestamp(let time): return time.seconds
        case .int(let number): return seconds(number)
        case .uint(let number): return Int64(exactly: number).map(seconds)
        case .double(let number): return number.magnitude < 1e18 ? seconds(Int64(number)) : nil
        case .string(let text): return unixSeconds(text)
        case .optional(.some(let inner)): return unixSeconds(inner)
        default: return nil
        }
    }

    package static func unixSeconds(_ text: ArraySlice<UInt8>) -> Int64? {
        let whole = text.prefix { $0 != 0x2E }
        if let number = ASCII.decimal(whole.span), text.dropFirst(whole.count + 1).allSatisfy(ASCII.isDigit) {
            return Int64(exactly: number).map(seconds)
        }
        return HTTPDate.parse(text.span) ?? Timestamp(rfc3339: strict(text))?.seconds
    }

    /// `2026-12-01 10:00:00+0800`, as Java and Python write it, in the spelling of RFC 3339.
    private static func strict(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var strict = Array(text)
        if strict.count > 10, strict[10] == 0x20 { strict[10] = 0x54 }
        let zone = strict.suffix(5)
        if strict.count > 15, let sign = zone.first, sign == 0x2B || sign == 0x2D,
            zone.dropFirst().allSatisfy(ASCII.isDigit)
        {
            strict.insert(0x3A, at: strict.count - 2)
        }
        return strict[...]
    }

    private static func seconds(_ number: Int64) -> Int64 {
        number.magnitude >= 100_000_000_000 ? number / 1000 : number
    }
}
