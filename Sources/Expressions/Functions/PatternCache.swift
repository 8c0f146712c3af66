import Synchronization

/// Compiled patterns by their text.
final class PatternCache: Sendable {
    static let shared = PatternCache()
    /// A config names a few patterns; more than this are made of a request's data.
    private static let limit = 256
    private let known = Mutex<[[UInt8]: PatternSearch]>([:])

    /// - Parameter making: it is not known yet, and will be made.
    func search(
        _ source: ArraySlice<UInt8>, making: () throws(EvaluationError) -> Void
    ) throws(EvaluationError) -> PatternSearch {
        let key = Array(source)
        if let found = known.withLock({ $0[key] }) { return found }
        try making()
        guard let search = try? PatternSearch(source) else { throw .argument("pattern") }
        known.withLock { known in
            if known.count >= PatternCache.limit { known = [:] }
            known[key] = search
        }
        return search
    }
}
