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
}
