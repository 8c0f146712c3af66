import Bytes

/// An address in an answer's head that names the upstream's own origin, as a path at the gateway: a client that followed it as it is would
/// leave the gateway. Like nginx's `proxy_redirect default`, but without a host, which the client knows better (RFC 9110
/// 10.2.2: it is resolved against the request's URL).
package struct OwnLocation {
    /// At the gateway, from its first slash to before `?` or `#`.
    package let path: [UInt8]
    /// Query and fragment.
    private let rest: ArraySlice<UInt8>
    /// The path was found through the edit that the route made of this request's path, so it is good for that route alone.
    package let isThroughRewrite: Bool

    package var value: [UInt8] { path + rest }

    /// - Parameters:
    ///   - request: path as the client asked for it.
    ///   - sent: path as it went upstream.
    ///   - isRewritten: the route has a rewrite. Then what the two paths do not have in common at their ends is taken for
    ///     the prefix that the rewrite changes.
    /// - Returns: `nil` for another origin, a relative reference, and a path that cannot be mapped back.
    package init?(
        _ location: ArraySlice<UInt8>, at upstream: UpstreamPlan, request: ArraySlice<UInt8>, sent: [UInt8],
        isRewritten: Bool
    ) {
        guard let behind = Self.behindOrigin(location, upstream) else { return nil }
        let end = behind.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? behind.endIndex
        rest = behind[end...]
        let told = end == behind.startIndex ? [0x2F] : Array(behind[..<end])
        isThroughRewrite = isRewritten
        var (here, there) = ([UInt8](), upstream.basePath)
        if isRewritten {
            let common = Self.commonSegments(request, sent[...])
            guard common > 0 else { return nil }
            (here, there) = (Array(request.dropLast(common)), Array(sent.dropLast(common)))
        }
        guard told.starts(with: there) else { return nil }
        let own = told.dropFirst(there.count)
        guard own.isEmpty || own.first == 0x2F else { return nil }
        let path = here + (own.isEmpty ? [0x2F] : own)
        // A path that begins with two slashes would name a host. Browsers take a backslash for a slash, and leave tabs out.
        guard !path.starts(with: [0x2F, 0x2F]), !path.contains(where: { $0 == 0x5C || $0 <= 0x20 || $0 == 0x7F }) else {
            return nil
        }
        self.path = path
    }

    /// What comes behind scheme and authority, when they are the upstream's.
    private static func behindOrigin(_ location: ArraySlice<UInt8>, _ upstream: UpstreamPlan) -> ArraySlice<UInt8>? {
        var rest = location
        let scheme = Array((upstream.scheme == .http ? "http:" : "https:").utf8)
        let start = rest.prefix(scheme.count)
        if ASCII.equalFolded(start.span, scheme.span) {
            rest = rest.dropFirst(scheme.count)
        }
        guard rest.starts(with: [0x2F, 0x2F]) else { return nil }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
        let authority = rest[..<end]
        let own = [upstream.authority, "\(upstream.host):\(upstream.port)"].map { Array($0.utf8) }
        guard OwnedFields.contains(own, authority.span, folding: true) else { return nil }
        return rest[end...]
    }

    /// Length of the longest run of whole segments (each with its slash) that both end with.
    private static func commonSegments(_ one: ArraySlice<UInt8>, _ two: ArraySlice<UInt8>) -> Int {
        var (count, whole) = (0, 0)
        for (a, b) in zip(one.reversed(), two.reversed()) {
            guard a == b else { break }
            count += 1
            if a == 0x2F { whole = count }
        }
        return whole
    }
}
