/// Bounds of one document; its size is the caller's.
package struct XMLLimits: Sendable {
    /// Elements within elements. Default 64; SOAP needs about ten.
    package var depth = 64
    /// Elements and attributes together. Default 100 000.
    package var nodes = 100_000
    /// Bytes of one name. Default 256.
    package var name = 256
    package init() {}
}
