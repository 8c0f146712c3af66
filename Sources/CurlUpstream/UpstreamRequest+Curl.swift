import Domain

extension UpstreamRequest {
    var isGet: Bool { method == [0x47, 0x45, 0x54] }

    /// The body is too large for the write of the head, or not here yet.
    var isUpload: Bool {
        switch body {
        case .none: false
        case .bytes(let bytes): bytes.count > CurlHandle.inlineBodyLimit
        case .stream: true
        }
    }
}
