/// Bytes that wait to be sent or parsed: append at the end, consume from the front. An empty queue holds no memory
/// (an idle connection must stay under 8 KiB).
package struct ByteQueue: Sendable {
    private var storage: [UInt8] = []
    private var head = 0

    package init() {}

    package var count: Int { storage.count - head }
    package var isEmpty: Bool { count == 0 }
    /// What waits, front first.
    package var slice: ArraySlice<UInt8> { storage[head...] }

    package mutating func append(_ span: Span<UInt8>) { storage.append(copying: span) }
    package mutating func append(_ bytes: [UInt8]) {
        if isEmpty { (storage, head) = (bytes, 0) } else { storage.append(contentsOf: bytes) }
    }
    package mutating func append(_ bytes: ArraySlice<UInt8>) { storage.append(contentsOf: bytes) }

    /// Forgets the first `amount` bytes. Moves the rest only when more than half of the buffer is dead.
    package mutating func consume(_ amount: Int) {
        head += Swift.min(amount, count)
        if head == storage.count {
            storage = []
            head = 0
        } else if head > 65_536, head > storage.count / 2 {
            storage.removeFirst(head)
            head = 0
        }
    }

    package mutating func removeAll() {
        storage = []
        head = 0
    }
}
