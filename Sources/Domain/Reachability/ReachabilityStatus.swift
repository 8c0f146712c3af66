/// What health and metrics tell about an upstream.
package struct ReachabilityStatus: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        case up, down
        /// Nothing was sent yet, or nothing but failures, fewer than open the breaker.
        case unknown
    }
    package enum Breaker: String, Sendable, CaseIterable {
        case closed, open
        case halfOpen = "half_open"
        /// Value of the gauge `breaker_state`.
        package var gauge: Int {
            switch self {
            case .closed: 0
            case .halfOpen: 1
            case .open: 2
            }
        }
    }
    package var state: State
    package var breaker: Breaker
    /// Kind of the last failure that counted; stays after the recovery.
    package var lastFailure: GatewayError.Kind?
    /// Nanoseconds to the next trial while open.
    package var retryAfter: UInt64?
}

extension ReachabilityMachine {
    package func status(now: UInt64) -> ReachabilityStatus {
        let kind = lastFailure.map { GatewayError($0).kind }
        switch state {
        case .closed:
            return ReachabilityStatus(
                state: isProven ? .up : .unknown, breaker: .closed, lastFailure: kind, retryAfter: nil)
        case .open(let until, _):
            return ReachabilityStatus(
                state: .down, breaker: .open, lastFailure: kind, retryAfter: until.subtractingSaturated(now))
        case .halfOpen:
            return ReachabilityStatus(state: .down, breaker: .halfOpen, lastFailure: kind, retryAfter: nil)
        }
    }

    /// When the next trial may start; `nil` while closed or while a trial is out.
    package var trialAt: UInt64? {
        if case .open(let until, _) = state { return until }
        return nil
    }
}
