/// Hash functions.
package enum Digest {
    /// The digest of some bytes (16 to 64 raw bytes, see `DigestAlgorithm.byteCount`).
    package static func hash(_ algorithm: DigestAlgorithm, _ bytes: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        hash(algorithm, bytes, into: &output)
        return output
    }

    /// Appends the digest of some bytes.
    package static func hash(_ algorithm: DigestAlgorithm, _ bytes: Span<UInt8>, into output: inout [UInt8]) {
        let method = DigestMethod.of(algorithm)
        let context = unsafe method.begin()
        unsafe method.update(context, bytes)
        unsafe method.finish(context, into: &output)
    }

    /// Replaces all bytes from an index on by their digest.
    package static func hash(_ algorithm: DigestAlgorithm, tailOf buffer: inout [UInt8], from start: Int) {
        let method = DigestMethod.of(algorithm)
        let context = unsafe method.begin()
        unsafe method.update(context, buffer.span.extracting(start..<buffer.count))
        buffer.removeSubrange(start...)
        unsafe method.finish(context, into: &buffer)
    }

    /// A digest of bytes that arrive piece by piece. Belongs to one thread.
    @safe package final class Incremental {
        private let method: DigestMethod
        private var context: OpaquePointer?

        package init(_ algorithm: DigestAlgorithm) {
            method = DigestMethod.of(algorithm)
            unsafe context = method.begin()
        }

        /// Adds bytes. After `finish` a new digest begins.
        package func update(_ bytes: Span<UInt8>) {
            let current = unsafe context ?? method.begin()
            unsafe context = current
            unsafe method.update(current, bytes)
        }

        /// The digest of everything since the start or the last `finish`.
        package func finish() -> [UInt8] {
            let current = unsafe context ?? method.begin()
            unsafe context = nil
            var output: [UInt8] = []
            unsafe method.finish(current, into: &output)
            return output
        }

        deinit {
            if let context = unsafe context { unsafe method.discard(context) }
        }
    }
}
