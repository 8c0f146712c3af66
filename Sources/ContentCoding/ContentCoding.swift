import Bytes
import CContent

/// A content coding of HTTP (RFC 9110 8.4.1) that can be undone here.
package enum ContentCoding: Sendable, Equatable {
    /// RFC 1952; `x-gzip` is the same.
    case gzip
    /// A zlib stream (RFC 1950). Some servers send bare deflate data (RFC 1951) under this name: both are read.
    case deflate

    /// The codings of a `Content-Encoding` value in the order applied; `identity` is none. `nil` for an unknown one, and for
    /// more than two: nobody encodes three times, and each could multiply the size.
    package static func list(_ value: ArraySlice<UInt8>) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        for part in value.split(separator: 0x2C) {
            switch String(decoding: ASCII.trimmed(part).map(ASCII.lower), as: UTF8.self) {
            case "", "identity": continue
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            default: return nil
            }
        }
        return codings.count <= 2 ? codings : nil
    }

    /// The whole content, checked to the end: checksum, length, nothing behind.
    /// - Parameter limit: most bytes that may come out.
    package func decode(_ bytes: [UInt8], limit: Int) throws(ContentCodingError) -> [UInt8] {
        switch self {
        case .gzip: return try Inflater.members(bytes, limit: limit)
        case .deflate:
            // RFC 1950 2.2: method 8 and a multiple of 31. Bare deflate data cannot begin like that, except for a stored
            // block of a length that nobody sends.
            let isWrapped =
                bytes.count >= 2 && bytes[0] & 15 == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
            return try Inflater.single(bytes, format: isWrapped ? .zlib : .bare, limit: limit)
        }
    }
}
