package import Domain

/// What reading a config gives: a plan, or every problem at once.
package enum ConfigOutcome: Sendable {
    /// Warnings and remarks are sorted by line; show the warnings at start.
    case plan(GatewayPlan, warnings: [ConfigIssue])
    /// At least one error, with the warnings, sorted by line.
    case issues([ConfigIssue])
}
