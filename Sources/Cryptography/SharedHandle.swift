/// A library object that is only read after it was made.
///
/// `@unchecked`, by this invariant: the pointer is set once in `init`, before anybody else can see it; OpenSSL documents fetched methods
/// (EVP_MD, EVP_MAC), keys (EVP_PKEY) and contexts that are only duplicated as safe to read from any thread, and counts
/// their references atomically.
@safe struct SharedHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
}
