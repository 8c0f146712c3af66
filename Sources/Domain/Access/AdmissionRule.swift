/// Caps of the whole gateway. From 80 % of a cap on, answers carry `Connection: close`, so that clients come back fewer;
/// at the cap the answer is 503 at once.
package struct AdmissionRule: Sendable {
    package enum Verdict: Sendable, Equatable {
        case admit(closeAfter: Bool)
        case refuse(GatewayError)
    }

    private let limits: GatewayLimits

    package init(limits: GatewayLimits) { self.limits = limits }

    /// `inFlight`: exchanges under way, without this one.
    package func exchange(inFlight: Int, isDraining: Bool) -> Verdict {
        guard inFlight < limits.inFlight else {
            return .refuse(
                GatewayError(
                    .overloaded, detail: "\(limits.inFlight) exchanges are under way", retry: .safe,
                    retryAfter: 1_000_000_000))
        }
        return .admit(closeAfter: isDraining || isNear(inFlight, limits.inFlight))
    }

    /// `open`: downstream connections, without this one.
    package func connection(open: Int) -> Verdict {
        guard open < limits.connections else {
            return .refuse(
                GatewayError(
                    .overloaded, detail: "\(limits.connections) connections are open", retry: .safe,
                    retryAfter: 1_000_000_000, closesConnection: true))
        }
        return .admit(closeAfter: isNear(open, limits.connections))
    }

    private func isNear(_ count: Int, _ cap: Int) -> Bool { count >= cap - cap / 5 }
}
