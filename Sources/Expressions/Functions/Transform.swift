import Bytes

/// A function that makes a string or bytes of a string or bytes: an encoding, a digest. Apart from the other functions, so
/// that one may work in the buffer in which the evaluator has just put its argument together.
package struct Transform: Sendable {
    let makesBytes: Bool
    private let whole: @Sendable (Span<UInt8>) -> [UInt8]
    private let tail: @Sendable (inout [UInt8], Int) -> Void

    /// - Parameters:
    ///   - whole: makes the result.
    ///   - tail: replaces all bytes of a buffer from an index on by the result, without another buffer where possible.
    init(
        toBytes makesBytes: Bool, whole: @escaping @Sendable (Span<UInt8>) -> [UInt8],
        tail: @escaping @Sendable (inout [UInt8], Int) -> Void
    ) {
        self.makesBytes = makesBytes
        self.whole = whole
        self.tail = tail
    }

    /// To a string, through a buffer of its own.
    init(_ whole: @escaping @Sendable (Span<UInt8>) -> [UInt8]) {
        self.init(toBytes: false, whole: whole) { buffer, start in
            let result = whole(buffer.span.extracting(start..<buffer.count))
            buffer.removeSubrange(start...)
            buffer.append(contentsOf: result)
        }
    }

    func value(of argument: Value) throws(EvaluationError) -> Value {
        let contents = try argument.requireContents()
        let result = whole(contents.span)
        return makesBytes ? .bytes(result[...]) : .text(result)
    }

    func replaceTail(of buffer: inout [UInt8], from start: Int) { tail(&buffer, start) }
}
