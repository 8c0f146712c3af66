import Bytes
import ContentCoding

/// What kind of body a request has.
extension RequestDraft {
    /// The body is in a content coding (RFC 9110 8.4): its bytes are no form, JSON or XML, whatever `Content-Type` says.
    package var isCoded: Bool {
        guard hasBody, let value = fields.first("content-encoding", folding: true) else { return false }
        return ContentCoding.list(value)?.isEmpty != true
    }

    /// Its answer has no body, whatever the answer's fields say.
    var isHead: Bool { method.elementsEqual("HEAD".utf8) }

    package var isXML: Bool {
        mediaType(is: "text/xml") || mediaType(is: "application/xml") || mediaType(hasSuffix: "+xml")
    }

    package var isJSON: Bool {
        mediaType(is: "application/json") || mediaType(hasSuffix: "+json")
            || Self.oldJSON.contains { mediaType(is: $0) }
    }

    /// From before RFC 8259's name, and what JSON-RPC allows beside it (JSON-RPC over HTTP 2.1).
    private static let oldJSON: [StaticString] = [
        "text/json", "application/x-json", "application/json-rpc", "application/jsonrequest",
    ]

    package var isMultipart: Bool { mediaType(is: "multipart/form-data") }

    /// A multipart body that is here and whole.
    var multipart: MultipartBody? {
        guard isMultipart, let type = contentType, case .held(let body) = content else { return nil }
        return MultipartReader.read(body, contentType: type)
    }

    /// `Content-Type` that tells what the body is.
    var contentType: ArraySlice<UInt8>? { ownType?[...] ?? fields.first("content-type", folding: true) }

    /// Remembers what the body is before its label goes. A type that says nothing is not worth it: then the label that is
    /// attached tells.
    func keepType() {
        guard isForm || isJSON || isXML || isMultipart else { return }
        ownType = contentType.map { Array($0) }
    }

    /// The route says what the bodies are that it takes, whatever their label says. The label's parameters still count: they
    /// tell the charset.
    func declare(_ source: ShapePlan.Source, _ owned: OwnedFields) {
        // What some reader takes for a form keeps to the rules of forms, where a form field is the gateway's.
        guard hasBody, let type = contentType, owned.form.isEmpty || !isForm && !isMultipart else { return }
        let name: StaticString
        switch source {
        case .json where !isJSON: name = "application/json"
        case .form where !isForm: name = "application/x-www-form-urlencoded"
        case .xml where !isXML: name = "application/xml"
        case .auto, .query, .multipart, .json, .form, .xml: return
        }
        ownType = name.withSpan { name in
            var text: [UInt8] = []
            text.append(copying: name)
            return text
        }
        ownType?.append(contentsOf: type.drop { $0 != 0x3B })
    }

    func mediaType(is name: StaticString) -> Bool {
        guard let type = mediaType else { return false }
        return name.withSpan { ASCII.equalFolded(type.span, $0) }
    }

    private var mediaType: ArraySlice<UInt8>? { contentType.map { MediaType.lenient($0) } }

    private func mediaType(hasSuffix suffix: StaticString) -> Bool {
        let count = suffix.utf8CodeUnitCount
        guard let type = mediaType, type.count > count else { return false }
        let end = type.suffix(count)
        return suffix.withSpan { ASCII.equalFolded(end.span, $0) }
    }
}
