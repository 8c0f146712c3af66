import Bytes

/// Writes chunked framing (RFC 9112 7.1).
package enum ChunkedEncoder {
    /// Size line of a chunk of `count` bytes; the bytes and `chunkEnd` follow. `count` must not be 0: that ends the body.
    package static func appendChunkHead(_ count: Int, to output: inout [UInt8]) {
        var shift = 60
        while shift > 0, count >> shift == 0 { shift -= 4 }
        while shift >= 0 {
            output.append(Hex.lowerDigit(UInt8(truncatingIfNeeded: count >> shift) & 15))
            shift -= 4
        }
        appendChunkEnd(to: &output)
    }

    /// CRLF after the bytes of a chunk.
    package static func appendChunkEnd(to output: inout [UInt8]) {
        output.append(ByteClass.carriageReturn)
        output.append(ByteClass.lineFeed)
    }

    /// One whole chunk; nothing for an empty span.
    package static func appendChunk(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        guard bytes.count > 0 else { return }
        appendChunkHead(bytes.count, to: &output)
        output.append(copying: bytes)
        appendChunkEnd(to: &output)
    }

    /// Last chunk and empty trailer section: the body is complete.
    package static func appendLastChunk(to output: inout [UInt8]) {
        output.append(contentsOf: [0x30, 0x0D, 0x0A, 0x0D, 0x0A])
    }
}
