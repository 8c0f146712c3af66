import Bytes
import Cryptography

/// A `multipart/form-data` body (RFC 7578). The boundary follows from the content, so that a request that is made again is the
/// same request.
struct MultipartText {
    let boundary: [UInt8]
    let bytes: [UInt8]

    init(_ parts: [FieldFlattener.Pair]) {
        let digest = Digest.Incremental(.sha256)
        for part in parts {
            digest.update(part.name.span)
            digest.update(part.value.span)
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
            bytes.append(0x22)
            if part.isFile {
                bytes.append(contentsOf: "; filename=\"".utf8)
                MultipartText.append(name: part.name, to: &bytes)
                bytes.append(contentsOf: "\"\r\nContent-Type: application/octet-stream".utf8)
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
