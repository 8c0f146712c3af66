import CContent

/// zlib's deflate over a whole buffer, at its usual level. The same bytes always give the same: a gzip head without a time.
package enum Deflater {
    /// What stands around the compressed data.
    package enum Format: Sendable {
        /// RFC 1951: nothing.
        case bare
        /// RFC 1950.
        case zlib
        /// RFC 1952.
        case gzip

        fileprivate var windowBits: Int32 {
            switch self {
            case .bare: -15
            case .zlib: 15
            case .gzip: 31
            }
        }
    }

    package static func encode(_ bytes: [UInt8], _ format: Format) throws(ContentCodingError) -> [UInt8] {
        guard bytes.count < 1 << 30 else { throw .tooLarge }
        // The stream keeps a pointer to itself: it must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        defer { unsafe stream.deallocate() }
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        let begun = unsafe deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, format.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard begun == Z_OK else { throw .unsupported }
        defer { unsafe deflateEnd(stream) }
        // All of it in one step: the bound holds for the level and the frame.
        let most = unsafe Int(deflateBound(stream, UInt(bytes.count)))
        var status = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, initialized in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(clamping: most)
                status = unsafe deflate(stream, Z_FINISH)
            }
            initialized = unsafe most - Int(stream.pointee.avail_out)
        }
        guard status == Z_STREAM_END else { throw .corrupt }
        return output
    }

    /// The reverse, checked to the end: checksum, length, nothing behind.
    /// - Parameter limit: most bytes that may come out.
    package static func decode(
        _ bytes: [UInt8], _ format: Format, limit: Int
    ) throws(ContentCodingError) -> [UInt8] {
        switch format {
        case .gzip: try Inflater.members(bytes, limit: limit)
        case .zlib: try Inflater.single(bytes, format: .zlib, limit: limit)
        case .bare: try Inflater.single(bytes, format: .bare, limit: limit)
        }
    }
}
