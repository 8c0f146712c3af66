import CCryptoShims
import COpenSSL

/// Memory of its own for one secret: not in the heap, not swapped (best effort: RLIMIT_MEMLOCK may be small), not in core
/// files, wiped before it goes back to the kernel.
///
/// `@unchecked`, by this invariant: written in `init` only, before the value can be shared, read-only from then on (also to the MMU); the
/// owner (`Secret`) calls `release` once, in its `deinit`, when nobody else can hold it.
@safe struct SecretPages: @unchecked Sendable {
    private let start: UnsafeMutableRawPointer
    private let mapped: Int
    let count: Int

    init(copying bytes: Span<UInt8>) {
        let page = gw_page_size()
        count = bytes.count
        mapped = (Swift.max(bytes.count, 1) + page - 1) / page * page
        guard let pages = unsafe gw_map_pages(mapped) else { preconditionFailure("no memory for a secret") }
        unsafe start = pages
        // Failing to lock or to hide is no reason to stop: the process may not be allowed to.
        _ = unsafe gw_lock_pages(pages, mapped)
        _ = unsafe gw_hide_pages_from_core(pages, mapped)
        unsafe bytes.withUnsafeBytes { source in
            if let from = source.baseAddress { unsafe pages.copyMemory(from: from, byteCount: source.count) }
        }
        _ = unsafe gw_protect_pages(pages, mapped)
    }

    /// The bytes. Valid until `release`.
    var buffer: UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
    }

    func release() {
        _ = unsafe gw_unprotect_pages(start, mapped)
        unsafe OPENSSL_cleanse(start, mapped)
        _ = unsafe gw_unmap_pages(start, mapped)
    }
}
