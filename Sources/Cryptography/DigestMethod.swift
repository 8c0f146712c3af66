import COpenSSL

/// One fetched hash function with an idle context. Fetching by name costs a locked look-up and several mallocs in
/// OpenSSL 3, so it happens once per process.
final class DigestMethod: Sendable {
    private static let all: [DigestMethod] = DigestAlgorithm.allCases.map { DigestMethod($0) }
    static func of(_ algorithm: DigestAlgorithm) -> DigestMethod { all[algorithm.index] }

    let handle: SharedHandle
    private let byteCount: Int
    private let contexts = ContextSlot()

    private init(_ algorithm: DigestAlgorithm) {
        let method = algorithm.libraryName.withUTF8Buffer { name in
            unsafe name.withMemoryRebound(to: CChar.self) { unsafe EVP_MD_fetch(nil, $0.baseAddress, nil) }
        }
        guard let method = unsafe method else {
            // Every algorithm is in OpenSSL's default provider: without it nothing here can work.
            preconditionFailure("OpenSSL has no \(algorithm.name)")
        }
        handle = unsafe SharedHandle(method)
        byteCount = algorithm.byteCount
    }

    /// A context that has begun a digest.
    func begin() -> OpaquePointer {
        guard let context = unsafe contexts.take() ?? EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        let began = unsafe EVP_DigestInit_ex2(context, handle.pointer, nil)
        precondition(began == 1, "OpenSSL cannot begin a digest")
        return unsafe context
    }

    func update(_ context: OpaquePointer, _ bytes: Span<UInt8>) {
        let done = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        precondition(done == 1, "OpenSSL cannot continue a digest")
    }

    /// Ends the digest, appends it and takes the context back.
    func finish(_ context: OpaquePointer, into output: inout [UInt8]) {
        output.append(addingCapacity: byteCount) { span in
            unsafe span.withUnsafeMutableBufferPointer { buffer, initialized in
                let done = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
                precondition(done == 1, "OpenSSL cannot end a digest")
                initialized += byteCount
            }
        }
        unsafe discard(context)
    }

    /// Takes a context back, whatever its state.
    func discard(_ context: OpaquePointer) {
        if let surplus = unsafe contexts.put(context) { unsafe EVP_MD_CTX_free(surplus) }
    }
}
