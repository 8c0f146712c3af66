package import Bytes
import ContentCoding
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
            ("host", .string), ("remote", .string),
        ])

    package var method: [UInt8]
    package var path: [UInt8] { didSet { segmentsView = nil } }
    /// Without the `?`; nil when the target has none (an empty query is kept as it is).
    package var query: [UInt8]? { didSet { queryView = nil } }
    package var fields: PairBlock { didSet { (headersView, formFlag) = (nil, nil) } }
    package var content: Content { didSet { (formView, jsonView, headersView) = (nil, nil, nil) } }
    package var host: [UInt8] { didSet { headersView = nil } }
    /// It goes over TLS: `https` where a signature names the scheme.
    package var isSecure = false
    /// Frames the body as it is streamed; `content` has the length of the result.
    package var framer: (any BodyFramer)?
    package let remote: [UInt8]
    private var segmentsView: [Value]?
    private var queryView: PairBlock?
    private var formView: PairBlock?
    private var headersView: PairBlock?
    private var jsonView: Value?
    private var formFlag: Bool?

    package init(
        method: [UInt8], path: [UInt8], query: [UInt8]?, fields: PairBlock, content: Content, host: [UInt8],
        remote: [UInt8]
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.content = content
        self.host = host
        self.remote = remote
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
        default: throw EvaluationError.unavailable("request has no such member")
        }
    }

    /// Path and query as they stand.
    package var target: [UInt8] {
        guard let query else { return path }
        var target = path
        target.reserveCapacity(path.count + query.count + 1)
        target.append(0x3F)
        target.append(contentsOf: query)
        return target
    }

    /// Pieces of the path between slashes, percent-decoded: `/api/User/a%20b` is `api`, `User`, `a b`.
    private var segments: [Value] {
        if let segmentsView { return segmentsView }
        var segments: [Value] = []
        for piece in path.split(separator: 0x2F) {
            var decoded: [UInt8] = []
            Percent.decode(piece.span, plusIsSpace: false, into: &decoded)
            segments.append(.text(decoded))
        }
        segmentsView = segments
        return segments
    }

    private var queryPairs: PairBlock {
        if let queryView { return queryView }
        let pairs = query.map { Percent.pairs($0.span) } ?? PairBlock()
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
    private func form() throws(EvaluationError) -> PairBlock {
        if let formView { return formView }
        let body = try heldBody()
        if isForm, isCoded { throw EvaluationError.unavailable("the request body is coded (Content-Encoding)") }
        let pairs = isForm ? Percent.pairs(body.span) : PairBlock()
        formView = pairs
        return pairs
    }

    private func json() throws(EvaluationError) -> Value {
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

    /// The body is in a content coding (RFC 9110 8.4): its bytes are no form, JSON or XML, whatever `Content-Type` says.
    package var isCoded: Bool {
        guard hasBody, let value = fields.first("content-encoding", folding: true) else { return false }
        return ContentCoding.list(value)?.isEmpty != true
    }

    /// `application/x-www-form-urlencoded`, with any parameters.
    package var isForm: Bool {
        if let formFlag { return formFlag }
        let flag = mediaType(is: "application/x-www-form-urlencoded")
        formFlag = flag
        return flag
    }

    package var isXML: Bool {
        mediaType(is: "text/xml") || mediaType(is: "application/xml") || mediaType(hasSuffix: "+xml")
    }

    package var isJSON: Bool { mediaType(is: "application/json") || mediaType(hasSuffix: "+json") }

    package var isMultipart: Bool { mediaType(is: "multipart/form-data") }

    private var mediaType: ArraySlice<UInt8>? {
        fields.first("content-type", folding: true).map { value in
            ASCII.trimmed(value.prefix { $0 != 0x3B })
        }
    }

    private func mediaType(is name: StaticString) -> Bool {
        guard let type = mediaType else { return false }
        return name.withSpan { ASCII.equalFolded(type.span, $0) }
    }

    private func mediaType(hasSuffix suffix: StaticString) -> Bool {
        let count = suffix.utf8CodeUnitCount
        guard let type = mediaType, type.count > count else { return false }
        let end = type.suffix(count)
        return suffix.withSpan { ASCII.equalFolded(end.span, $0) }
    }
}
