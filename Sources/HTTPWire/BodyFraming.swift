/// How long the body of a request is. It follows from Content-Length and Transfer-Encoding alone, whatever the method
/// (evhttp's exception for HEAD makes a body the next request).
package enum BodyFraming: Sendable, Equatable {
    case none
    /// Exactly so many bytes; `.length(0)` is an explicit zero.
    case length(UInt64)
    case chunked
}
