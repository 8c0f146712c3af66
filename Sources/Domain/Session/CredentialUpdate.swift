import Expressions

/// What an ordinary answer brought for the credential (`update:`): rolling tokens, tokens that are renewed on use.
package struct CredentialUpdate: Sendable {
    package struct End: Sendable, Equatable {
        /// Nanoseconds from the answer.
        package var lifetime: UInt64
        /// Unix seconds.
        package var wallExpiry: Int64
    }
    package struct Change: Sendable {
        package var slot: Int
        package var value: CapturedValue
    }
    package var changes: [Change]
    package var end: End?
    package var expiryProblem: String?

    package init(changes: [Change], end: End? = nil, expiryProblem: String? = nil) {
        self.changes = changes
        self.end = end
        self.expiryProblem = expiryProblem
    }
}

/// `update` of a session: captures over each answer to a request that carried the credential.
package struct UpdatePlan: Sendable {
    package let captures: [LoginStep.Capture]
    private let names: [String]

    /// `names`: `SessionPlan.captureNames`.
    package init(captures: [LoginStep.Capture], names: [String]) {
        self.captures = captures
        self.names = names
    }

    /// What the answer in the scope brings; `nil`: nothing. A capture that errs or is empty is not there.
    /// - Parameters:
    ///   - wall: Unix seconds of the answer.
    ///   - ahead: Seconds that the upstream's clock is ahead, as far as that is known.
    package func evaluate(
        _ scope: ExchangeScope, wall: Int64, ahead: Int64 = 0
    ) throws(Undecided) -> CredentialUpdate? {
        var values: [(slot: Int, value: Value)] = []
        var times: [(name: String, value: Value)] = []
        for capture in captures {
            guard let value = try capture.value.settled(scope), !value.isAbsent, value.contents?.isEmpty != true
            else { continue }
            if CredentialExpiry.isSpecial(names[capture.slot]) {
                times.append((names[capture.slot], value))
            } else {
                values.append((capture.slot, value))
            }
        }
        // An end goes with its token: `expires_in: "3600"` beside a token that did not come says nothing.
        let isOnlyTimes = captures.allSatisfy { CredentialExpiry.isSpecial(names[$0.slot]) }
        guard isOnlyTimes ? !times.isEmpty : !values.isEmpty else { return nil }
        let end = CredentialExpiry.lifetime(
            expiresIn: times.first { $0.name == "expires_in" }?.value,
            expiresAt: times.first { $0.name == "expires_at" }?.value, wall: wall + ahead)
        return CredentialUpdate(
            changes: values.map { CredentialUpdate.Change(slot: $0.slot, value: CapturedValue($0.value)) },
            end: end.seconds.map {
                CredentialUpdate.End(lifetime: UInt64($0) * 1_000_000_000, wallExpiry: wall + $0)
            }, expiryProblem: end.problem)
    }
}
