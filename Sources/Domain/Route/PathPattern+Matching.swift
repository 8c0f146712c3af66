import Bytes

extension PathPattern {
    /// Compares with a raw path. `*` takes one segment that is not empty; `**` takes what is left, also nothing:
    /// `/api/**` matches `/api`, `/api/` and `/api/a/b`, but not `/apis`.
    package func matches(_ path: Span<UInt8>) -> Bool {
        guard path.count > 0, path[0] == 0x2F else { return false }
        // Start of the next segment; past the end by one when the path is used up.
        var position = 1
        for index in segments.indices {
            switch segments[index] {
            case .rest: return true
            case .any:
                let start = position
                while position < path.count, path[position] != 0x2F { position += 1 }
                guard position > start else { return false }
            case .literal(let bytes):
                guard position <= path.count, path.count - position >= bytes.count else { return false }
                for offset in bytes.indices where path[position + offset] != bytes[offset] { return false }
                position += bytes.count
                guard position == path.count || path[position] == 0x2F else { return false }
            }
            position += 1
        }
        return position > path.count
    }

    /// The named segments of a path that matches, percent-decoded.
    func values(in path: [UInt8]) -> PairBlock {
        var values = PairBlock()
        guard !parameters.isEmpty else { return values }
        let pieces = path.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
        for parameter in parameters where pieces.indices.contains(parameter.segment) {
            let piece = pieces[parameter.segment]
            var decoded: [UInt8] = []
            Percent.decode(piece.span, plusIsSpace: false, into: &decoded)
            values.append(name: parameter.name, value: decoded)
        }
        return values
    }
}
