import CContent

/// zlib's inflate over a whole buffer.
enum Inflater {
    /// `windowBits` of `inflateInit2`.
    enum Format: Int32 {
        case bare = -15
        case zlib = 15
        case gzip = 31
    }

    /// Deflate reaches 1032:1 on one repeated byte; tables of JSON stay under 50:1. Small answers may be anything.
    private static let mostRatio = 256
    private static let freeOutput = 65_536

    /// RFC 1952 2.2: a gzip file is one member or several.
    static func members(_ bytes: [UInt8], limit: Int) throws(ContentCodingError) -> [UInt8] {
        var output: [UInt8] = []
        var start = 0
        repeat {
            start = try inflate(bytes, from: start, format: .gzip, limit: limit, into: &output)
            guard start == bytes.count || (start + 1 < bytes.count && bytes[start] == 0x1F && bytes[start + 1] == 0x8B)
            else { throw .trailing }
        } while start < bytes.count
        return output
    }

    static func single(_ bytes: [UInt8], format: Format, limit: Int) throws(ContentCodingError) -> [UInt8] {
        var output: [UInt8] = []
        let end = try inflate(bytes, from: 0, format: format, limit: limit, into: &output)
        guard end == bytes.count else { throw .trailing }
        return output
    }

    /// - Returns: index behind the stream.
    private static func inflate(
        _ bytes: [UInt8], from start: Int, format: Format, limit: Int, into output: inout [UInt8]
    ) throws(ContentCodingError) -> Int {
        let count = bytes.count - start
        guard count > 0 else { throw .truncated }
        guard count < UInt32.max else { throw .tooLarge }
        let most = min(limit, max(freeOutput, bytes.count.multipliedReportingOverflow(by: mostRatio).partialValue))
        // The stream keeps a pointer to itself: it must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, format.rawValue, ZLIB_VERSION, size) == Z_OK else { throw .unsupported }
        defer { unsafe inflateEnd(stream) }
        var buffer = [UInt8](repeating: 0, count: min(max(count * 4, 4096), 65_536))
        var used = 0
        while true {
            var produced = 0
            let status = unsafe step(stream, bytes, from: start + used, into: &buffer, &used, &produced)
            guard output.count + produced <= most else { throw .tooLarge }
            output.append(contentsOf: buffer[..<produced])
            if status == Z_STREAM_END { return start + used }
            guard status == Z_OK || status == Z_BUF_ERROR else { throw .corrupt }
            // A full buffer may hide more output; otherwise all the input is used up before the end.
            if produced < buffer.count, start + used == bytes.count { throw .truncated }
            guard produced > 0 || start + used < bytes.count else { throw .truncated }
        }
    }

    private static func step(
        _ stream: UnsafeMutablePointer<z_stream>, _ bytes: [UInt8], from start: Int, into buffer: inout [UInt8],
        _ used: inout Int, _ produced: inout Int
    ) -> Int32 {
        let status = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe buffer.withUnsafeMutableBufferPointer { output -> Int32 in
                let left = input.count - start
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress.map { unsafe $0 + start })
                unsafe stream.pointee.avail_in = UInt32(truncatingIfNeeded: left)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(truncatingIfNeeded: output.count)
                let status = unsafe CContent.inflate(stream, Z_NO_FLUSH)
                unsafe used += left - Int(stream.pointee.avail_in)
                unsafe produced = output.count - Int(stream.pointee.avail_out)
                return status
            }
        }
        return status
    }
}
