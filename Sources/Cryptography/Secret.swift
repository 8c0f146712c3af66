import Bytes

/// Bytes that no sink may show.
package final class Secret: Sendable {
    private let storage: [UInt8]
    package init(copying bytes: Span<UInt8>) {
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        storage = copy
    }
    package var count: Int { storage.count }
    package func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        let bytes = storage
        return try body(bytes.span)
    }
}
