import COpenSSL

/// An HMAC whose key is set up once, for many messages. May be shared between threads: each call works on a context of
/// its own (the idle one, or a duplicate of the keyed template).
package final class KeyedMAC: Sendable {
    private let method: MACMethod
    private let template: SharedHandle
    private let contexts = ContextSlot()

    package init(_ algorithm: DigestAlgorithm, key: Span<UInt8>) {
        method = MACMethod.of(algorithm)
        let context = unsafe method.fresh()
        unsafe method.begin(context, key: key)
        template = unsafe SharedHandle(context)
    }

    package convenience init(_ algorithm: DigestAlgorithm, key: Secret) {
        // A local copy of the pages' view: an initializer cannot be called from inside the closure.
        let bytes = key.unsealed
        self.init(algorithm, key: bytes.span)
    }

    package func authenticate(_ message: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        authenticate(message, into: &output)
        return output
    }

    /// Appends the HMAC of one message.
    package func authenticate(_ message: Span<UInt8>, into output: inout [UInt8]) {
        let context = unsafe contexts.take() ?? method.duplicate(template.pointer)
        unsafe method.restart(context)
        unsafe method.update(context, message)
        unsafe method.finish(context, into: &output)
        if let surplus = unsafe contexts.put(context) { unsafe EVP_MAC_CTX_free(surplus) }
    }

    deinit {
        unsafe EVP_MAC_CTX_free(template.pointer)
        if let context = unsafe contexts.take() { unsafe EVP_MAC_CTX_free(context) }
    }
}
