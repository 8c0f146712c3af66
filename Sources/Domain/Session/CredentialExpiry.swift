import Bytes
package import Expressions

/// The special captures `expires_in` and `expires_at`: one computation for every login, so that the first answer and
/// later ones cannot differ (peers 35).
package enum CredentialExpiry {
    /// Longest believable lifetime: ten years. Above it the number has another unit or means "never".
    static let longest: Int64 = 315_576_000

    package static func isSpecial(_ name: String) -> Bool { name == "expires_in" || name == "expires_at" }

    /// What is known of an end.
    package struct Lifetime: Equatable, Sendable {
        /// Seconds from the answer to the end; `nil` when unknown.
        package var seconds: Int64?
        /// What the upstream told and nobody can use: names and types, no value.
        package var problem: String?
    }

    /// The grant of a finished login. `names` are `SessionPlan.captureNames`; `wall` is the unix time of the answer,
    /// `ahead` the seconds that the upstream's clock is ahead of it, as far as that is known. `cookies`: values in the
    /// session's jar, part of the credential.
    package static func grant(
        captures: [Value], names: [String], wall: Int64, ahead: Int64 = 0, cookies: [[UInt8]] = []
    ) -> CredentialGrant {
        func capture(_ name: String) -> Value? {
            names.firstIndex(of: name).flatMap { captures.indices.contains($0) ? captures[$0] : nil }
        }
        let end = lifetime(expiresIn: capture("expires_in"), expiresAt: capture("expires_at"), wall: wall + ahead)
        var grant = CredentialGrant(
            captures: captures, names: names, lifetime: end.seconds.map { UInt64($0) * 1_000_000_000 },
            wallExpiry: end.seconds.map { wall + $0 }, cookies: cookies)
        grant.expiryProblem = end.problem
        return grant
    }

    /// The end by the earlier of the two.
    ///
    /// `expires_in`: seconds as int, double or numeric string, or a duration, also in the text of ISO 8601 (`PT10M`); 0 and
    /// less mean "does not expire" to the services that send it. `expires_at`: a point in time (`Moment`), 0 and less meaning the same.
    ///
    /// An end in the past, or a negative number of seconds but -1, is no end but a mistake: a clock or a time zone that
    /// differs, a recipe that reads another field. Taken at its word it would ask for a login with every request, until
    /// none is left. `wall`: unix time by the upstream's clock.
    package static func lifetime(expiresIn: Value?, expiresAt: Value?, wall: Int64) -> Lifetime {
        var end = Lifetime()
        if let expiresIn, !expiresIn.isAbsent {
            end.take("expires_in", expiresIn, number(expiresIn), "no number of seconds and no duration")
        }
        if let expiresAt, !expiresAt.isAbsent {
            let time = Moment.unixSeconds(expiresAt)
            if let time, time > 0, time <= wall {
                end.problem =
                    "expires_at: \(wall - time) s ago when the answer came, so that a clock or a time zone differs; "
                    + "counted as no end"
            } else {
                let left = time.map { $0 > 0 ? $0 - wall : 0 }
                end.take("expires_at", expiresAt, left, "no point in time; read it with timestamp() or time.parse()")
            }
        }
        return end
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
            if let seconds = isoSeconds(text) { return seconds }
            // "7200", also "7200.0": services write numbers as text; "3600s" is a duration in JSON of protobuf.
            let isNegative = text.first == 0x2D
            let digits = (text.last == 0x73 ? text.dropLast() : text).dropFirst(isNegative ? 1 : 0)
            let whole = digits.prefix { $0 != 0x2E }
            guard digits.dropFirst(whole.count).dropFirst().allSatisfy(ASCII.isDigit) else { return nil }
            return ASCII.decimal(whole.span).flatMap { Int64(exactly: $0) }.map { isNegative ? -$0 : $0 }
        case .null, .bool, .bytes, .list, .map, .type, .optional(nil), .json, .pairs, .pair, .object: return nil
        }
    }
}

extension CredentialExpiry {
    /// `P2W`, `P1DT2H`, `PT10M`, `PT3600.5S` (ISO 8601 durations); years and months have no length of their own, so that
    /// only none of them (`P0Y0M1D`) will do. `nil`: something else.
    static func isoSeconds(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.first == 0x50, text.count > 2 else { return nil }
        var (rest, total, isTime, units) = (text.dropFirst(), Int64(0), false, Array("YMWD".utf8)[...])
        while let first = rest.first {
            if first == 0x54, !isTime {
                (rest, isTime, units) = (rest.dropFirst(), true, Array("HMS".utf8)[...])
                guard !rest.isEmpty else { return nil }
                continue
            }
            let whole = rest.prefix(while: ASCII.isDigit)
            var after = rest[whole.endIndex...]
            if after.first == 0x2E || after.first == 0x2C {
                after = after.dropFirst().drop(while: ASCII.isDigit)
                guard after.count == 1 else { return nil }
            }
            // Each unit once, the larger ones first.
            guard let count = ASCII.decimal(whole.span).flatMap({ Int64(exactly: $0) }), count <= longest,
                let unit = after.first, let place = units.firstIndex(of: unit)
            else { return nil }
            (rest, units) = (after.dropFirst(), units[(place + 1)...])
            switch (unit, isTime) {
            case (0x57, _): total += count * 604_800
            case (0x44, _): total += count * 86_400
            case (0x48, _): total += count * 3600
            case (0x4D, true): total += count * 60
            case (0x53, _): total += count
            default: guard count == 0 else { return nil }
            }
        }
        return total
    }
}

extension CredentialExpiry.Lifetime {
    fileprivate mutating func take(_ name: String, _ value: Value, _ told: Int64?, _ otherwise: String) {
        guard let told else {
            problem = "\(name): a value of type \(value.resolved.typeName.name) that is \(otherwise)"
            return
        }
        guard told >= -1 else {
            problem = "\(name): a negative number of seconds; counted as no end"
            return
        }
        guard told > 0 else { return }
        guard told <= CredentialExpiry.longest else {
            problem = "\(name): more than ten years away; counted as no end"
            return
        }
        seconds = min(seconds ?? told, told)
    }
}
