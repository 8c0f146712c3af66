import Synchronization

/// Holds at most one idle library context. Taking it leaves the slot empty, so a context has one user at a time; a second
/// thread (or a nested use) finds nothing and makes its own. One thread always hits: no malloc per digest.
struct ContextSlot: ~Copyable {
    // An address instead of a pointer: `exchange` hands the ownership over, and an `UInt` may cross threads.
    private let idle = Atomic<UInt>(0)

    /// The idle context, now owned by the caller.
    func take() -> OpaquePointer? { unsafe OpaquePointer(bitPattern: idle.exchange(0, ordering: .acquiring)) }

    /// Gives a context back. Returns the one that was there meanwhile: the caller frees it.
    func put(_ context: OpaquePointer) -> OpaquePointer? {
        unsafe OpaquePointer(bitPattern: idle.exchange(UInt(bitPattern: context), ordering: .acquiringAndReleasing))
    }
}
