/// One part of a `multipart/form-data` body (RFC 7578).
package struct MultipartPart: Equatable {
    /// Without the escapes of its quotes.
    package var name: [UInt8]
    /// The content as it is.
    package var value: [UInt8]
    /// With one, the part is a file.
    package var filename: [UInt8]?
    /// The part's own `Content-Type`.
    package var type: [UInt8]?

    package init(name: [UInt8], value: [UInt8], filename: [UInt8]? = nil, type: [UInt8]? = nil) {
        self.name = name
        self.value = value
        self.filename = filename
        self.type = type
    }
}
