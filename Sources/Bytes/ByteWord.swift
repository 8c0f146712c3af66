/// Eight bytes at a time without unsafe code: with a subspan of constant length the index checks fold away, and the
/// eight loads become one.
@usableFromInline package enum ByteWord {
    /// The bytes `index..<index + 8` as a little-endian number. Traps when they are not all there.
    @inlinable
    @inline(__always)
    package static func load(_ bytes: Span<UInt8>, at index: Int) -> UInt64 {
        let part = bytes.extracting(index..<index &+ 8)
        let low = UInt64(part[0]) | UInt64(part[1]) << 8 | UInt64(part[2]) << 16 | UInt64(part[3]) << 24
        let high = UInt64(part[4]) << 32 | UInt64(part[5]) << 40 | UInt64(part[6]) << 48 | UInt64(part[7]) << 56
        return low | high
    }
}
