import Bytes
import Domain

extension UpstreamRequest {
    var isHead: Bool { method == [0x48, 0x45, 0x41, 0x44] }
    var isGet: Bool { method == [0x47, 0x45, 0x54] }

    /// The body is too large for the write of the head, or not here yet.
    var isUpload: Bool {
        switch body {
        case .none: false
        case .bytes(let bytes): bytes.count > CurlHandle.inlineBodyLimit
        case .stream: true
        }
    }

    /// POST, PUT and PATCH without content still say `Content-Length: 0` (RFC 9110 8.6).
    var expectsContent: Bool {
        method == [0x50, 0x4F, 0x53, 0x54] || method == [0x50, 0x55, 0x54] || method == [0x50, 0x41, 0x54, 0x43, 0x48]
    }
}
