import Domain

/// What a session needs of the plan around it. A login keeps the one it began with: the next plan may number upstreams and
/// secrets anew.
struct SessionSetting {
    /// Both by index in the plan.
    var plans: [UpstreamPlan]
    var upstreams: [UpstreamHandle]
    /// Expressions know secrets by their number in the plan.
    var surroundings: Surroundings
}
