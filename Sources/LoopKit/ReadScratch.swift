/// The loop's read buffer. 64 KiB: one system call empties a default socket buffer's worth, and the buffer stays in L2.
@safe final class ReadScratch {
    static let size = 65_536
    private let buffer: UnsafeMutableRawBufferPointer
    private var isLent = false

    init() { unsafe buffer = .allocate(byteCount: Self.size, alignment: 64) }
    deinit { unsafe buffer.deallocate() }

    /// Lends the buffer. A read inside a read (a consumer that reads another socket) gets a buffer of its own, so that
    /// the outer consumer's bytes stay what they were.
    func lend<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        guard !isLent else {
            let own = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.size, alignment: 64)
            defer { unsafe own.deallocate() }
            return unsafe body(own)
        }
        isLent = true
        defer { isLent = false }
        return unsafe body(buffer)
    }
}
