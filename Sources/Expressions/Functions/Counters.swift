import Synchronization

/// Numbers that only grow, by name, for the whole process: workers of a reloaded config go on where the last one was.
final class Counters: Sendable {
    static let shared = Counters()
    /// Names come from a config; more than this is a name made of a request's data.
    private static let limit = 4096
    private let last = Mutex<[[UInt8]: Int64]>([:])

    func next(_ name: ArraySlice<UInt8>, least: Int64) throws(EvaluationError) -> Int64 {
        let name = Array(name)
        let given = last.withLock { last -> Int64? in
            guard let known = last[name] else {
                guard last.count < Counters.limit else { return nil }
                last[name] = least
                return least
            }
            guard known < Int64.max else { return nil }
            let next = max(least, known + 1)
            last[name] = next
            return next
        }
        guard let given else { throw EvaluationError(.tooLarge) }
        return given
    }
}
