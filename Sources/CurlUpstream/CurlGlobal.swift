import CCurl
import CCurlShims

/// Process-wide set-up of libcurl. Done by the first transport.
enum CurlGlobal {
    /// `curl_global_init`, once; Swift runs a static initialiser exactly once, which is the lock that libcurl asks for.
    static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
