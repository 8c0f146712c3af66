import Bytes

/// A finished draft as HTTP/1.1 text, in the order in which the transport writes it: request line, `Host`, the fields, and
/// the framing that follows from the body. A conformance test compares it with what an upstream received.
enum WireText {
    private static let replaced = ["host", "expect", "content-length", "transfer-encoding"].map { Array($0.utf8) }
    private static let withContent = ["POST", "PUT", "PATCH"].map { Array($0.utf8) }

    static func request(_ draft: RequestDraft, to upstream: UpstreamPlan) -> Explanation.FinalRequest {
        // A plain-http proxy takes the absolute form (RFC 9112 3.2.2).
        let isAbsolute = upstream.scheme == .http && upstream.proxy?.hasPrefix("http://") == true
        let prefix = isAbsolute ? Array("http://\(upstream.authority)".utf8) : []
        let line = draft.method + [0x20] + prefix + draft.target + Array(" HTTP/1.1".utf8)
        var fields = PairBlock()
        fields.append(name: Array("Host".utf8), value: Array(upstream.authority.utf8))
        for index in 0..<draft.fields.count {
            let (name, value) = (draft.fields.name(at: index), draft.fields.value(at: index))
            if OwnedFields.contains(replaced, name.span, folding: true) { continue }
            fields.append(name: name.span, value: value.span)
        }
        var body: [UInt8] = []
        var hasLength = withContent.contains(draft.method)
        if case .held(let bytes) = draft.content { (body, hasLength) = (bytes, true) }
        if hasLength {
            var count: [UInt8] = []
            count.append(decimal: Int64(body.count))
            fields.append(name: Array("Content-Length".utf8), value: count)
        }
        return Explanation.FinalRequest(line: line, fields: fields, body: body)
    }
}
