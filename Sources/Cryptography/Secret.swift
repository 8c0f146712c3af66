import Bytes

/// Bytes that no sink may show: passwords, keys, tokens. Lives in locked pages outside the heap that are wiped at the end;
/// every rendering is `***`. One page (4 KiB) each: for credentials, not for bodies.
package final class Secret: Sendable, Equatable {
    private let pages: SecretPages

    /// Copies the bytes. The caller's copy stays where it was: drop it soon.
    package init(copying bytes: Span<UInt8>) { pages = SecretPages(copying: bytes) }

    deinit { pages.release() }

    package var count: Int { pages.count }

    /// Lends the bytes for the length of the call.
    package func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        // The pages live as long as `self`, and `self` at least until the body has returned.
        defer { withExtendedLifetime(self) {} }
        let buffer = unsafe pages.buffer
        return unsafe try body(buffer.span)
    }

    /// Same bytes? Takes the same time wherever they differ; only the count can be told from the time.
    package func matches(_ bytes: Span<UInt8>) -> Bool { withBytes { ConstantTime.equal($0, bytes) } }

    /// Same bytes? See `matches(_: Span)`.
    package func matches(_ other: Secret) -> Bool { withBytes { other.matches($0) } }

    package static func == (one: Secret, other: Secret) -> Bool { one.matches(other) }

    /// A plain copy on the heap, for the rare place that must hand the bytes on: a request head or a form body about to be
    /// sent, a library that takes a C string. Never store it, never log it; `withBytes` is the normal way.
    package var unsealed: [UInt8] {
        withBytes { bytes in
            var copy: [UInt8] = []
            copy.append(copying: bytes)
            return copy
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "***" }
    package var debugDescription: String { "***" }
    /// No children: `dump` and mirrors see neither the address nor the count.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
