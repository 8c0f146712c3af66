import CCurl
import CCurlShims

/// TLS sessions, shared by the handles of one transport (they live per handle otherwise). One thread, hence no locks.
@safe final class CurlShare {
    let pointer: UnsafeMutableRawPointer?

    init() {
        unsafe pointer = curl_share_init()
        if let pointer = unsafe pointer { _ = unsafe gw_share_sessions(pointer) }
    }

    /// After the last handle that uses it.
    deinit { if let pointer = unsafe pointer { _ = unsafe curl_share_cleanup(pointer) } }
}
