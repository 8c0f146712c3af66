import Bytes
import Expressions

/// Parts of a request target as expressions see them.
enum TargetText {
    /// Pieces of the path between slashes, percent-decoded: `/api/User/a%20b` is `api`, `User`, `a b`.
    static func segments(of path: [UInt8]) -> [Value] {
        var segments: [Value] = []
        segments.reserveCapacity(8)
        var start = 0
        for end in 0...path.count where end == path.count || path[end] == 0x2F {
            let piece = path[start..<end]
            start = end + 1
            if piece.isEmpty { continue }
            guard piece.contains(0x25) else {
                segments.append(.string(piece))
                continue
            }
            var decoded: [UInt8] = []
            Percent.decode(piece.span, plusIsSpace: false, into: &decoded)
            segments.append(.text(decoded))
        }
        return segments
    }

    static func pairs(of query: [UInt8]?) -> PairBlock { query.map { Percent.pairs($0.span) } ?? PairBlock() }

    static func joined(_ path: [UInt8], _ query: [UInt8]?) -> [UInt8] {
        guard let query else { return path }
        var target = path
        target.reserveCapacity(path.count + query.count + 1)
        target.append(0x3F)
        target.append(contentsOf: query)
        return target
    }
}
