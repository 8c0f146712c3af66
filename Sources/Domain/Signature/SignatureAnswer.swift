package import Bytes
import Expressions

/// What an answer says about the signatures of its request: `clock_refused` and `echo`.
package struct SignatureAnswer {
    /// The string that the upstream signed, and the one of ours that comes nearest.
    package struct Echo {
        package var plan: SignaturePlan
        package var ours: ArraySlice<UInt8>
        package var theirs: ArraySlice<UInt8>
    }

    /// The upstream's time, in unix seconds, when it refused ours.
    package var refusedTime: Int64?
    package var echoes: [Echo] = []

    /// `scope` holds the answer, and what was signed.
    package init(
        _ signatures: [SignaturePlan], _ scope: ExchangeScope, _ fields: PairBlock
    ) throws(Undecided) {
        for signature in signatures {
            if let echo = signature.echo, let theirs = try echo.settled(scope)?.contents, !theirs.isEmpty,
                let ours = EchoDifference.nearest(to: theirs, among: scope.signed[signature.name] ?? [])
            {
                echoes.append(Echo(plan: signature, ours: ours, theirs: theirs))
            }
            if refusedTime == nil, let test = signature.clockRefused {
                refusedTime = try ClockRefusal.upstreamTime(told: test, scope, fields)
            }
        }
    }
}
