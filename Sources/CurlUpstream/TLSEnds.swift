import CCurlShims

/// Which TLS streams ended in order (close_notify, RFC 8446 6.1). libcurl takes the end of a connection for the end of its
/// stream, and an answer that ends with its connection would look whole wherever somebody cuts it.
@safe final class TLSEnds {
    private let watch: UnsafeMutablePointer<gw_tls_watch>
    private var ended: Set<UInt> = []

    init() {
        unsafe watch = .allocate(capacity: 1)
        unsafe watch.initialize(
            to: gw_tls_watch(ended: onTLSEnded, context: Unmanaged.passUnretained(self).toOpaque()))
    }

    /// After the last connection whose handle was watched.
    deinit { unsafe watch.deallocate() }

    func watch(_ easy: UnsafeMutableRawPointer) { _ = unsafe gw_watch_tls(easy, watch) }

    /// A request goes out on this stream; 0 = none. One that had this address before is forgotten.
    func begin(on easy: UnsafeMutableRawPointer) -> UInt {
        let stream = unsafe UInt(gw_tls_stream(easy))
        ended.remove(stream)
        return stream
    }

    /// Whether the upstream said that the stream is complete.
    func take(_ stream: UInt) -> Bool { ended.remove(stream) != nil }

    fileprivate func endedInOrder(_ stream: UInt) { ended.insert(stream) }
}

private func onTLSEnded(_ context: UnsafeMutableRawPointer?, _ stream: UInt) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<TLSEnds>.fromOpaque(context).takeUnretainedValue().endedInOrder(stream)
}
