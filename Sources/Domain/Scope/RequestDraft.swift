package import Bytes
package import Expressions
import JSONBytes

/// A request while it is being edited: first as the client sent it, in the end as it goes onto the wire. Expressions see
/// it as `request`, at every step in its current state; decoded views (query, form, JSON) are made when first asked for.
package final class RequestDraft: HostObject {
    package enum Content {
        case none
        /// All of it is here.
        case held([UInt8])
        /// It passes through; nothing may look at it.
        case streamed(count: UInt64?)
    }

    package static let type = ObjectType(
        name: "request",
        members: [
            ("method", .string), ("path", .string), ("segments", .list(.string)), ("query", .pairs),
            ("headers", .pairs), ("form", .pairs), ("json", .dyn), ("body", .bytes), ("target", .string),
            ("host", .string), ("remote", .string), ("params", .pairs), ("parts", .list(.dyn)),
            ("original", .object(OriginalRequest.type)),
        ])
    /// Of a request that the gateway makes itself.
    package static let ownType = ObjectType(
        name: "request", members: type.members.dropLast(),
        elsewhere: ["original": "the gateway makes this request itself: no client has sent it"])

    package var method: [UInt8]
    package var path: [UInt8] { didSet { segmentsView = nil } }
    /// Without the `?`; nil when the target has none (an empty query is kept as it is).
    package var query: [UInt8]? { didSet { queryView = nil } }
    package var fields: PairBlock { didSet { (headersView, formFlag) = (nil, nil) } }
    package var content: Content { didSet { (formView, jsonView, headersView, partsView) = (nil, nil, nil, nil) } }
    package var host: [UInt8] { didSet { headersView = nil } }
    /// It goes over TLS: `https` where a signature names the scheme.
    package var isSecure = false
    /// Frames the body as it is streamed; `content` has the length of the result.
    package var framer: (any BodyFramer)?
    /// What the client sent behind a framed body.
    var checksum: AWSUnframer.Checksum?
    /// The client's own `Content-Type` where the gateway attaches another: it says what the body is, the other is a label.
    var ownType: [UInt8]? { didSet { (formView, partsView, formFlag) = (nil, nil, nil) } }
    package let remote: [UInt8]
    /// What the client's path is named by; `nil`: the gateway makes this request itself.
    private let pattern: PathPattern?
    private let sent: (method: [UInt8], path: [UInt8], query: [UInt8]?)
    /// As the client sent it; `nil`: nobody asks.
    private var message: RequestDraft?
    private var segmentsView: [Value]?
    private var queryView: PairBlock?
    private var formView: PairBlock?
    private var headersView: PairBlock?
    private var jsonView: Value?
    private var partsView: [Value]?
    private var formFlag: Bool?

    package init(
        method: [UInt8], path: [UInt8], query: [UInt8]?, fields: PairBlock, content: Content, host: [UInt8],
        remote: [UInt8], pattern: PathPattern? = nil
    ) {
        self.pattern = pattern
        sent = (method, path, query)
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.content = content
        self.host = host
        self.remote = remote
    }

    /// Remembers the client's fields and body as they are now, for `request.original`.
    /// - Parameter isHidden: of a field's name: it is not for recipes.
    func keepOriginal(without isHidden: (Span<UInt8>) -> Bool) {
        var fields = fields
        fields.removeAll { block, index in isHidden(block.name(at: index).span) }
        let copy = RequestDraft(
            method: method, path: path, query: query, fields: fields, content: content, host: host, remote: remote)
        copy.ownType = ownType
        message = copy
    }

    package var objectType: ObjectType { Self.type }

    package func member(_ index: Int) throws(EvaluationError) -> Value {
        switch index {
        case 0: return .text(method)
        case 1: return .text(path)
        case 2: return .list(segments)
        case 3: return .pairs(queryPairs, folding: false)
        case 4: return .pairs(headers, folding: true)
        case 5:
            let pairs = try form()
            return .pairs(pairs, folding: false)
        case 6: return try json()
        case 7:
            let body = try heldBody()
            return .bytes(body[...])
        case 8: return .text(target)
        case 9: return .text(host)
        case 10: return .text(remote)
        case 11: return .pairs(pattern?.values(in: sent.path) ?? PairBlock(), folding: false)
        case 12: return .list(try parts())
        case 13:
            guard pattern != nil else { throw .unavailable("a request of the gateway itself has no original") }
            return .object(
                OriginalRequest(method: sent.method, path: sent.path, query: sent.query, message: message))
        default: throw EvaluationError.unavailable("request has no such member")
        }
    }

    /// Path and query as they stand.
    package var target: [UInt8] { TargetText.joined(path, query) }

    private var segments: [Value] {
        if let segmentsView { return segmentsView }
        let segments = TargetText.segments(of: path)
        segmentsView = segments
        return segments
    }

    private var queryPairs: PairBlock {
        if let queryView { return queryView }
        let pairs = TargetText.pairs(of: query)
        queryView = pairs
        return pairs
    }

    /// All fields that will be on the wire: `Host` and `Content-Length` too, which the transport writes.
    private var headers: PairBlock {
        if let headersView { return headersView }
        var block = fields
        if !host.isEmpty { block.append(name: Self.hostName, value: host) }
        if let length {
            var text: [UInt8] = []
            text.append(decimal: length)
            block.append(name: Self.lengthName, value: text)
        }
        headersView = block
        return block
    }

    private static let hostName = Array("Host".utf8)
    private static let lengthName = Array("Content-Length".utf8)
    private static let withContent = ["POST", "PUT", "PATCH"].map { Array($0.utf8) }

    /// Value of `Content-Length`; RFC 9110 8.6: methods that expect content say 0. Nil: the field is not sent.
    private var length: UInt64? {
        switch content {
        case .held(let bytes): UInt64(bytes.count)
        case .streamed(let count): count
        case .none: Self.withContent.contains(method) ? 0 : nil
        }
    }

    private func heldBody() throws(EvaluationError) -> [UInt8] {
        switch content {
        case .none: return []
        case .held(let bytes): return bytes
        case .streamed: throw .unavailable("the request body is streamed and cannot be looked at")
        }
    }

    /// The decoded form; empty when the body is no form.
    func form() throws(EvaluationError) -> PairBlock {
        if let formView { return formView }
        let body = try heldBody()
        if isForm, isCoded { throw EvaluationError.unavailable("the request body is coded (Content-Encoding)") }
        let pairs = isForm ? Percent.pairs(body.span) : PairBlock()
        formView = pairs
        return pairs
    }

    /// The form as it will be sent; empty without one.
    var heldForm: [UInt8] {
        if case .held(let body) = content, isForm { body } else { [] }
    }

    func json() throws(EvaluationError) -> Value {
        if let jsonView { return jsonView }
        let body = try heldBody()
        if isCoded { throw EvaluationError.unavailable("the request body is coded (Content-Encoding)") }
        guard let document = try? JSONDocument(parsing: body) else {
            throw EvaluationError.unavailable("the request body is not JSON")
        }
        let value = Value.json(document.root)
        jsonView = value
        return value
    }

    /// Parts of a multipart body, as a route's `request` sees them: a text is a string, a file is bytes.
    private func parts() throws(EvaluationError) -> [Value] {
        if let partsView { return partsView }
        let body = try heldBody()
        if isCoded { throw EvaluationError.unavailable("the request body is coded (Content-Encoding)") }
        guard isMultipart, let type = contentType, let parts = MultipartReader.parts(of: body, contentType: type) else {
            throw .unavailable("the request body is no multipart/form-data")
        }
        let values = parts.map { part in
            var members: [(name: String, value: Value)] = [
                ("name", .text(part.name)),
                ("value", part.filename == nil ? .text(part.value) : .bytes(part.value[...])),
            ]
            if let filename = part.filename { members.append(("filename", .text(filename))) }
            if let type = part.type { members.append(("type", .text(type))) }
            return Value.map(MapValue(members))
        }
        partsView = values
        return values
    }

    /// `application/x-www-form-urlencoded`, with any parameters.
    package var isForm: Bool {
        if let formFlag { return formFlag }
        let flag = mediaType(is: "application/x-www-form-urlencoded")
        formFlag = flag
        return flag
    }
}
