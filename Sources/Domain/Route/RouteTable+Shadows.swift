import HTTPWire

extension RouteTable {
    /// A route that no request can reach, and the earlier one that takes its requests.
    package struct Shadow: Sendable, Equatable {
        package var route: Int
        package var by: Int
    }

    /// Routes that can never match. Methods of several earlier routes count together; paths and hosts are compared one
    /// route at a time, so a union of patterns that happens to cover everything is not noticed.
    package func shadows() -> [Shadow] {
        var found: [Shadow] = []
        // By the name of a host; empty: for every host.
        var seen: [[UInt8]: PatternTree] = [:]
        for later in rules.indices {
            // A route for every method is a route for every method that there is.
            var uncovered = rules[later].methods ?? RequestMethod.common
            // Who takes all of its requests takes those for its first host.
            let places = Set([[], rules[later].hosts.first.map { Self.name(ofHost: $0) } ?? []])
            for earlier in places.flatMap({ seen[$0]?.likely(rules[later].pattern) ?? [] }).sorted() {
                guard rules[earlier].pattern.covers(rules[later].pattern),
                    Self.covers(hosts: rules[earlier].hosts, rules[later].hosts)
                else { continue }
                let methods = rules[earlier].methods ?? RequestMethod.common
                uncovered.removeAll { methods.contains($0) }
                if uncovered.isEmpty {
                    found.append(Shadow(route: later, by: earlier))
                    break
                }
            }
            let hosts = rules[later].hosts.isEmpty ? [[]] : rules[later].hosts.map { Self.name(ofHost: $0) }
            for host in Set(hosts) {
                let tree = seen[host] ?? PatternTree()
                tree.add(rules[later].pattern, later)
                seen[host] = tree
            }
        }
        return found
    }
}

/// Patterns by their segments: comparing each of ten thousand routes with each took two thirds of a reload.
private final class PatternTree {
    private var literals: [[UInt8]: PatternTree] = [:]
    private var any: PatternTree?
    /// Routes whose pattern ends here, and those that take what is left.
    private var routes: [Int] = []

    func add(_ pattern: PathPattern, _ route: Int) {
        var node = self
        for segment in pattern.segments {
            switch segment {
            case .literal(let bytes):
                let next = node.literals[bytes] ?? PatternTree()
                node.literals[bytes] = next
                node = next
            case .any:
                let next = node.any ?? PatternTree()
                node.any = next
                node = next
            case .rest: break
            }
        }
        node.routes.append(route)
    }

    /// All that may cover the pattern, and some that do not.
    func likely(_ pattern: PathPattern) -> [Int] {
        var found: [Int] = []
        collect(pattern.segments[...], into: &found)
        return found
    }

    private func collect(_ segments: ArraySlice<PathPattern.Segment>, into found: inout [Int]) {
        found += routes
        guard let first = segments.first else { return }
        any?.collect(segments.dropFirst(), into: &found)
        if case .literal(let bytes) = first { literals[bytes]?.collect(segments.dropFirst(), into: &found) }
    }
}
