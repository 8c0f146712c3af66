/// Transfers that wait for a place, first come first served.
package struct TransferQueue<Transfer: AnyObject> {
    private var storage: [Transfer?] = []
    private var head = 0

    package init() {}

    package var isEmpty: Bool { head == storage.count }
    package var first: Transfer? { isEmpty ? nil : storage[head] }

    package mutating func append(_ transfer: Transfer) { storage.append(transfer) }

    package mutating func popFirst() -> Transfer? {
        guard !isEmpty else { return nil }
        let transfer = storage[head]
        storage[head] = nil
        head += 1
        skipGaps()
        return transfer
    }

    /// A cancelled transfer leaves a gap; the queue is at most some thousand long.
    package mutating func remove(_ transfer: Transfer) -> Bool {
        guard let index = storage[head...].firstIndex(where: { $0 === transfer }) else { return false }
        storage[index] = nil
        skipGaps()
        return true
    }

    private mutating func skipGaps() {
        while head < storage.count, storage[head] == nil { head += 1 }
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 1024 {
            storage.removeFirst(head)
            head = 0
        }
    }
}
