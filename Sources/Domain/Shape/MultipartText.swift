import Bytes
import Cryptography

/// A `multipart/form-data` body (RFC 7578). The boundary follows from the content, so that a request that is made again is the
/// same request.
package struct MultipartText {
    let boundary: [UInt8]
    /// The body.
    package let bytes: [UInt8]

    /// Its `Content-Type`, with the boundary.
    package var contentType: String { "multipart/form-data; boundary=" + String(decoding: boundary, as: UTF8.self) }

    package init(_ parts: [MultipartPart]) {
        let digest = Digest.Incremental(.sha256)
        for part in parts {
            for text in [part.name, part.value, part.filename ?? [], part.type ?? []] { digest.update(text.span) }
        }
        // 128 bits of a digest over the content: nobody can write them into it.
        let mark = digest.finish()
        let hex = Hex.encode(mark.span)
        boundary = Array("countersign-".utf8) + hex.prefix(32)
        var bytes: [UInt8] = []
        for part in parts {
            bytes.append(contentsOf: [0x2D, 0x2D])
            bytes.append(contentsOf: boundary)
            bytes.append(contentsOf: "\r\nContent-Disposition: form-data; name=\"".utf8)
            MultipartText.append(name: part.name, to: &bytes)
            if let filename = part.filename {
                bytes.append(contentsOf: "\"; filename=\"".utf8)
                MultipartText.append(name: filename, to: &bytes)
            }
            bytes.append(0x22)
            if let type = part.type {
                bytes.append(contentsOf: "\r\nContent-Type: ".utf8)
                bytes.append(contentsOf: type)
            }
            bytes.append(contentsOf: "\r\n\r\n".utf8)
            bytes.append(contentsOf: part.value)
            bytes.append(contentsOf: [0x0D, 0x0A])
        }
        bytes.append(contentsOf: [0x2D, 0x2D])
        bytes.append(contentsOf: boundary)
        bytes.append(contentsOf: "--\r\n".utf8)
        self.bytes = bytes
    }

    /// As browsers write it (WHATWG HTML 4.10.22.8): a quote or line break cannot end the name.
    private static func append(name: [UInt8], to bytes: inout [UInt8]) {
        for byte in name {
            switch byte {
            case 0x22: bytes.append(contentsOf: "%22".utf8)
            case 0x0D: bytes.append(contentsOf: "%0D".utf8)
            case 0x0A: bytes.append(contentsOf: "%0A".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
