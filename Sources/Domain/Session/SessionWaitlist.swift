/// Parked exchanges in the order of arrival. Bounded by the caller (256 by default), so that a scan is cheap.
struct SessionWaitlist: Sendable {
    private var ids: [UInt64] = []

    var count: Int { ids.count }
    var isEmpty: Bool { ids.isEmpty }

    mutating func append(_ id: UInt64) { ids.append(id) }

    /// False when it does not wait.
    mutating func remove(_ id: UInt64) -> Bool {
        guard let index = ids.firstIndex(of: id) else { return false }
        ids.remove(at: index)
        return true
    }

    mutating func removeAll() -> [UInt64] {
        let all = ids
        ids = []
        return all
    }
}
