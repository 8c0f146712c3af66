/// Whether a failed transfer is sent once more. The one owner of that decision: neither curl nor login code retries.
/// (Replacing a stale pooled connection before anything was received is the transport's own business.)
///
/// A replay after an expired session is something else: the upstream provably refused, so any method may be replayed.
package struct RetryPolicy: Sendable {
    /// Attempts in all, the first included.
    static let attempts = 2
    /// A connection that died after so long a rest says nothing about load: a retry on its account needs no budget. There
    /// are as many of them as connections rest, and the transport drops the others with the first.
    static let rest: UInt64 = 100_000_000

    /// What is known of the request.
    package struct Request: Sendable {
        /// `RequestMethod.isIdempotent` (RFC 9110 9.2.2).
        package var isIdempotent: Bool
        /// The body was not kept, so that it cannot be sent again.
        package var bodyIsStreamed: Bool
        /// Attempts so far, the failed one included.
        package var attempts: Int
        /// The head of an answer was received: the answer may be on its way to the client.
        package var headReceived: Bool

        package init(isIdempotent: Bool, bodyIsStreamed: Bool, attempts: Int, headReceived: Bool) {
            self.isIdempotent = isIdempotent
            self.bodyIsStreamed = bodyIsStreamed
            self.attempts = attempts
            self.headReceived = headReceived
        }
    }

    package enum Verdict: Sendable, Equatable {
        case retry
        case giveUp(Reason)
    }

    /// Why not (peers 38: say why a retry was refused).
    package enum Reason: Sendable, CaseIterable {
        case notIdempotent, bodyStreamed, attemptsSpent, answerBegun
        /// Another try now would meet the same: a closed port, no route, no name, a bad certificate, a time-out.
        case pointless
        case budgetSpent

        /// As `Countersign-Retry` and the access log have it.
        package var word: StaticString {
            switch self {
            case .notIdempotent: "not_idempotent"
            case .bodyStreamed: "body_streamed"
            case .attemptsSpent: "attempts_spent"
            case .answerBegun: "answer_begun"
            case .pointless: "pointless"
            case .budgetSpent: "budget_spent"
            }
        }
    }

    package init() {}

    package func verdict(
        _ failure: TransferFailure, _ request: Request, budget: inout RetryBudget, now: UInt64
    ) -> Verdict {
        if request.headReceived { return .giveUp(.answerBegun) }
        if request.attempts >= Self.attempts { return .giveUp(.attemptsSpent) }
        switch failure.kind {
        case _ where failure.isUnprocessed: break
        // Only on a connection that was reused: it may have been closed while idle. A fresh one that answers with an end
        // has seen the request, and would see it twice.
        case .reset where failure.connectionReused: break
        case .reset, .unreachable, .dns, .refused, .connectTimeout, .firstByteTimeout, .idleTimeout, .totalTimeout,
            .tls,
            .proxy, .malformedAnswer, .overloaded, .local:
            return .giveUp(.pointless)
        }
        // Never for others, even when nothing was sent: that certainty rests on the transport's word alone. The upstream's own
        // word is another thing.
        if !request.isIdempotent, !failure.isUnprocessed { return .giveUp(.notIdempotent) }
        if request.bodyIsStreamed { return .giveUp(.bodyStreamed) }
        // The budget is for upstreams that fail. One that closes a connection in order may leave many requests at once.
        if failure.isUnprocessed || failure.connectionRested >= Self.rest { return .retry }
        return budget.takeRetry(now: now) ? .retry : .giveUp(.budgetSpent)
    }
}
