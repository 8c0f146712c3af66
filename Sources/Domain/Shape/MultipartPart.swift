/// One part of a `multipart/form-data` body (RFC 7578).
struct MultipartPart {
    var name: [UInt8]
    var value: [UInt8]
    /// With one, the part is a file.
    var filename: [UInt8]?
    /// The part's own `Content-Type`.
    var type: [UInt8]?
}
