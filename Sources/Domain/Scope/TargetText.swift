import Bytes
import Expressions

/// Parts of a request target as expressions see them.
enum TargetText {
    /// Pieces of the path between slashes, percent-decoded: `/api/User/a%20b` is `api`, `User`, `a b`.
    static func segments(of path: [UInt8]) -> [Value] {
        path.split(separator: 0x2F).map { piece in
            var decoded: [UInt8] = []
            Percent.decode(piece.span, plusIsSpace: false, into: &decoded)
            return .text(decoded)
        }
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
