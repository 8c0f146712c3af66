import Bytes
import CCurl
import CCurlShims
import Domain

extension CurlHandle {
    /// Bodies up to this size travel in the same write as the head; libcurl inlines below 64 KiB.
    static let inlineBodyLimit = 32_768

    /// Sets what differs per request. False when the request holds what no head may hold (line ends, NUL, an empty name).
    func prepare(_ request: UpstreamRequest, plan: UpstreamPlan, isFresh: Bool) -> Bool {
        guard prepareHead(request, plan) else { return false }
        setTimes(plan)
        if plan.mostConnections == 0, !forbidsReuse { forbidReuse() }
        if isFresh || plan.mostConnections == 0, !self.isFresh {
            self.isFresh = true
            set(CURLOPT_FRESH_CONNECT, 1)
        }
        return true
    }

    private func prepareHead(_ request: UpstreamRequest, _ plan: UpstreamPlan) -> Bool {
        let fields = request.fields
        var size = request.method.count + request.target.count + (request.host?.count ?? 0) + 256
        size += fields.bytes.count + fields.count * 4 + inlineBody(request).count
        // A plain-http proxy takes the absolute form; the authority then stands in the target (RFC 9112 3.2.2).
        let prefix = plan.usesPlainProxy ? Array("http://\(plan.authority)".utf8) : []
        arena.reset(lines: fields.count + 8, bytes: size + prefix.count)
        let target = prefix.isEmpty ? request.target : prefix + request.target
        guard !request.method.isEmpty, request.target.first == 0x2F || request.target == [0x2A],
            let method = arena.string(request.method.span), let line = arena.string(target.span),
            putFields(request), setBody(request, method: method)
        else { return false }
        // Byte for byte, whatever libcurl's URL parser thinks of it; the URL itself never changes.
        _ = unsafe gw_set_text(easy, CURLOPT_REQUEST_TARGET, line.pointer)
        _ = unsafe gw_set_list(easy, arena.list)
        return true
    }

    private func putFields(_ request: UpstreamRequest) -> Bool {
        let fields = request.fields
        let bytes = fields.bytes
        var accepts = false
        var isTyped = false
        for entry in fields.entries {
            let nameStart = Int(entry.nameStart)
            let name = bytes.span.extracting(nameStart..<nameStart + Int(entry.nameCount))
            let valueStart = Int(entry.valueStart)
            let value = bytes.span.extracting(valueStart..<valueStart + Int(entry.valueCount))
            switch CurlHandle.role(of: name) {
            // They follow from the upstream and the body; a copy here would be request smuggling.
            case .framing: continue
            case .accept: accepts = true
            case .contentType: isTyped = true
            case .ordinary: break
            }
            guard arena.field(name, value) else { return false }
        }
        if let host = request.host {
            let name: [UInt8] = [0x48, 0x6F, 0x73, 0x74]
            guard arena.field(name.span, host.span) else { return false }
        }
        // What libcurl would add by itself: `Accept` always, a type and an expectation only with a body. Each line of the
        // list costs some twenty comparisons inside libcurl.
        guard accepts || arena.line("Accept:") else { return false }
        if case .none = request.body, !request.expectsContent { return true }
        return arena.line("Expect:") && (isTyped || arena.line("Content-Type:"))
    }

    private enum Role { case ordinary, accept, contentType, framing }

    private static func role(of name: Span<UInt8>) -> Role {
        switch name.count {
        case 4: isFolded(name, "host") ? .framing : .ordinary
        case 6: isFolded(name, "accept") ? .accept : isFolded(name, "expect") ? .framing : .ordinary
        case 12: isFolded(name, "content-type") ? .contentType : .ordinary
        case 14: isFolded(name, "content-length") ? .framing : .ordinary
        case 17: isFolded(name, "transfer-encoding") ? .framing : .ordinary
        default: .ordinary
        }
    }

    private static func isFolded(_ name: Span<UInt8>, _ literal: StaticString) -> Bool {
        literal.withUTF8Buffer { unsafe ASCII.equalFolded(name, $0.span) }
    }

    private func inlineBody(_ request: UpstreamRequest) -> [UInt8] {
        guard case .bytes(let bytes) = request.body, bytes.count <= Self.inlineBodyLimit else { return [] }
        return bytes
    }

    private func setBody(_ request: UpstreamRequest, method: ArenaText) -> Bool {
        let isEmptyPost = request.expectsContent
        if case .none = request.body, !isEmptyPost {
            if request.isGet {
                if shape != .get { setShape(upload: nil, method: nil, isHead: false) }
                shape = .get
                return true
            }
            setShape(upload: nil, method: request.isHead ? nil : method, isHead: request.isHead)
            shape = .other
            return true
        }
        switch request.body {
        case .none: return setInline([], request.method, method)
        case .bytes(let bytes) where bytes.count <= Self.inlineBodyLimit:
            return setInline(bytes, request.method, method)
        case .bytes(let bytes): setShape(upload: Int64(bytes.count), method: method, isHead: false)
        case .stream(let count):
            let size = count.map { Int64(clamping: $0) } ?? -1
            setShape(upload: size, method: method, isHead: false)
        }
        shape = .other
        return true
    }

    private func setInline(_ bytes: [UInt8], _ method: [UInt8], _ text: ArenaText) -> Bool {
        guard let body = arena.raw(bytes.span) else { return false }
        if shape != .inline(method: method) {
            setShape(upload: nil, method: text, isHead: false)
            shape = .inline(method: method)
        }
        set(CURLOPT_POSTFIELDSIZE_LARGE, size: Int64(bytes.count))
        _ = unsafe gw_set_pointer(easy, CURLOPT_POSTFIELDS, body.pointer)
        return true
    }

    private func setShape(upload: Int64?, method: ArenaText?, isHead: Bool) {
        _ = unsafe gw_set_pointer(easy, CURLOPT_POSTFIELDS, nil)
        set(CURLOPT_HTTPGET, 1)
        if let upload {
            set(CURLOPT_UPLOAD, 1)
            set(CURLOPT_INFILESIZE_LARGE, size: upload)
        }
        if isHead { set(CURLOPT_NOBODY, 1) }
        _ = unsafe gw_set_text(easy, CURLOPT_CUSTOMREQUEST, method?.pointer)
    }
}
