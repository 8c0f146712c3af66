import Bytes
package import Expressions

/// The special captures `expires_in` and `expires_at`: one computation for every login, so that the first answer and
/// later ones cannot differ (peers 35).
package enum CredentialExpiry {
    /// Longest believable lifetime: ten years. Above it the number has another unit or means "never".
    static let longest: Int64 = 315_576_000

    package static func isSpecial(_ name: String) -> Bool { name == "expires_in" || name == "expires_at" }

    /// The grant of a finished login. `names` are `SessionPlan.captureNames`; `wall` is the unix time of the answer.
    /// `cookies`: values in the session's jar, part of the credential.
    package static func grant(
        captures: [Value], names: [String], wall: Int64, cookies: [[UInt8]] = []
    ) -> CredentialGrant {
        func capture(_ name: String) -> Value? {
            names.firstIndex(of: name).flatMap { captures.indices.contains($0) ? captures[$0] : nil }
        }
        let seconds = lifetime(expiresIn: capture("expires_in"), expiresAt: capture("expires_at"), wall: wall)
        return CredentialGrant(
            captures: captures, names: names, lifetime: seconds.map { UInt64($0) * 1_000_000_000 },
            wallExpiry: seconds.map { wall + $0 }, cookies: cookies)
    }

    /// Seconds from the answer to the expiry, by the earlier of the two; `nil` when unknown.
    ///
    /// `expires_in`: seconds as int, double or numeric string, or a duration; 0 and less mean "does not expire" to the
    /// services that send it. `expires_at`: a timestamp, or unix seconds or (from 10^11 on) milliseconds; in the past: the
    /// credential is used this once and counts as expired (lifetime 0 would ask for a login without end, so 1 s).
    package static func lifetime(expiresIn: Value?, expiresAt: Value?, wall: Int64) -> Int64? {
        var found: [Int64] = []
        if let expiresIn, let seconds = number(expiresIn), seconds > 0, seconds <= longest { found.append(seconds) }
        if let expiresAt, var time = number(expiresAt), time > 0 {
            if time >= 100_000_000_000 { time /= 1000 }
            let seconds = time - wall
            if seconds <= longest { found.append(Swift.max(seconds, 1)) }
        }
        return found.min()
    }

    /// Whole seconds in a value, whatever its type; `nil` when there is no number in it.
    static func number(_ value: Value) -> Int64? {
        switch value.resolved {
        case .int(let number): return number
        case .uint(let number): return Int64(exactly: number)
        case .double(let number): return number.isFinite && number.magnitude < 1e15 ? Int64(number) : nil
        case .timestamp(let time): return time.seconds
        case .duration(let nanoseconds): return nanoseconds / 1_000_000_000
        case .optional(.some(let inner)): return number(inner)
        case .string(let text):
            // "7200", also "7200.0": services write numbers as text.
            let whole = text.prefix { $0 != 0x2E }
            guard text.dropFirst(whole.count).dropFirst().allSatisfy(ASCII.isDigit) else { return nil }
            return ASCII.decimal(whole.span).flatMap { Int64(exactly: $0) }
        case .null, .bool, .bytes, .list, .map, .type, .optional(nil), .json, .pairs, .pair, .object: return nil
        }
    }
}
