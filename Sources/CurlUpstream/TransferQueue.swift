/// Transfers that wait for a place, first come first served.
struct TransferQueue {
    private var storage: [CurlTransfer?] = []
    private var head = 0

    var isEmpty: Bool { head == storage.count }
    var first: CurlTransfer? { isEmpty ? nil : storage[head] }

    mutating func append(_ transfer: CurlTransfer) { storage.append(transfer) }

    mutating func popFirst() -> CurlTransfer? {
        guard !isEmpty else { return nil }
        let transfer = storage[head]
        storage[head] = nil
        head += 1
        skipGaps()
        return transfer
    }

    /// A cancelled transfer leaves a gap; the queue is at most some thousand long.
    mutating func remove(_ transfer: CurlTransfer) -> Bool {
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
