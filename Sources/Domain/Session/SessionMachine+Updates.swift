import Bytes
import Expressions

/// What ordinary answers tell about the credential.
extension SessionMachine {
    /// The upstream took the credential of this generation: an answer to it was no refusal.
    package mutating func credentialServed(generation served: UInt64) {
        guard served == generation else { return }
        hasServed = true
        if isRevived { (isRevived, failures) = (false, 0) }
    }

    /// An answer brought new values. `sentUnder`: the generation that its request went out with; `order`: grows with each
    /// request that is sent.
    ///
    /// A changed value makes a new generation, so that whoever is refused with the old one just goes on with the new one.
    /// Answers may overtake each other: a value stays when it came with the answer to a later request. Answers to requests
    /// from before the last login say nothing about what it brought.
    package mutating func credentialUpdated(
        _ update: CredentialUpdate, sentUnder: UInt64, order: UInt64, now: UInt64, jitter: Double
    ) -> [Action] {
        guard sentUnder >= lineage, let old = current else { return [] }
        var captures = old.captures
        var isChanged = false
        for change in update.changes where captures.indices.contains(change.slot) {
            guard order > updateOrders[change.slot] ?? 0 else { continue }
            updateOrders[change.slot] = order
            guard !captures[change.slot].isSame(as: change.value) else { continue }
            captures[change.slot] = change.value
            isChanged = true
        }
        var end: CredentialUpdate.End?
        if let told = update.end, order > endOrder { (end, endOrder) = (told, order) }
        guard isChanged || end != nil else { return [] }
        if isChanged { generation += 1 }
        let snapshot = CredentialSnapshot(old, generation: generation, captures: captures, end: end, now: now)
        switch state {
        case .refreshing(_, let flight): state = .refreshing(snapshot, flight)
        default: state = .ready(snapshot)
        }
        guard end != nil, case .ready = state, hasLogin else { return [] }
        loginAt = refreshTime(of: snapshot, jitter: jitter)
        return loginAt.map { [.scheduleLogin(at: $0)] } ?? []
    }

    private var current: CredentialSnapshot? {
        switch state {
        case .ready(let snapshot), .refreshing(let snapshot, _): snapshot
        case .vacant, .loggingIn, .backingOff, .refused: nil
        }
    }
}

extension CapturedValue {
    fileprivate func isSame(as other: CapturedValue) -> Bool {
        var (mine, theirs): ([UInt8], [UInt8]) = ([], [])
        value.appendJSON(to: &mine)
        other.value.appendJSON(to: &theirs)
        return mine == theirs
    }
}
