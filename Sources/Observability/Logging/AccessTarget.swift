import Bytes

/// What may be logged of a request target: the path, and the names of the query parameters. Values are dropped right here,
/// so nothing behind this type can log one.
package struct AccessTarget: Sendable {
    /// Path with the values of its parameters cut (`/a;jsessionid=1` is `/a;jsessionid`).
    let path: [UInt8]
    /// Names joined with `&`. A piece without `=` may be a value itself (`?<token>`): it shows as `*`.
    let queryKeys: [UInt8]

    /// Names beyond this many are summed up as `*`.
    private static let keyLimit = 32

    /// Takes the target in origin form, as received.
    package init(_ target: Span<UInt8>) {
        var mark = 0
        while mark < target.count, target[mark] != 0x3F, target[mark] != 0x23 { mark += 1 }
        path = Self.path(target.extracting(0..<mark))
        queryKeys = mark < target.count ? Self.keys(target.extracting(mark + 1..<target.count)) : []
    }

    private static func path(_ path: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(path.count)
        var isParameter = false
        var isValue = false
        for index in path.indices {
            let byte = path[index]
            if byte == 0x2F { (isParameter, isValue) = (false, false) }
            if byte == 0x3B { (isParameter, isValue) = (true, false) }
            if byte == 0x3D, isParameter { isValue = true }
            if !isValue { output.append(byte) }
        }
        return output
    }

    private static func keys(_ query: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var start = 0
        var count = 0
        while start < query.count {
            var end = start
            while end < query.count, query[end] != 0x26 { end += 1 }
            if end > start {
                if count > 0 { output.append(0x26) }
                count += 1
                guard count <= keyLimit else { return output + [0x2A] }
                var equals = start
                while equals < end, query[equals] != 0x3D { equals += 1 }
                if equals < end {
                    output.append(copying: query.extracting(start..<equals))
                } else {
                    output.append(0x2A)
                }
            }
            start = end + 1
        }
        return output
    }
}
