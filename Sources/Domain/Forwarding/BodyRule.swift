import Bytes
import ContentCoding
import JSONBytes
import XMLBytes

/// Where the gateway adds, drops or changes fields within a body, the upstream must see the fields that the gateway sees: a
/// client could otherwise bring an owned field past it. What two readers could take differently is refused.
enum BodyRule {
    /// - Parameter owned: fields that are the gateway's.
    static func check(_ draft: RequestDraft, _ owned: OwnedFields) throws(GatewayError) {
        guard draft.hasBody, let type = draft.contentType else { return }
        guard count(of: "content-type", in: draft.fields) <= 1 else {
            throw GatewayError.badRequest("this route changes fields of the body: send one Content-Type")
        }
        guard isReadable(draft, type) else {
            throw GatewayError(
                .badRequest,
                detail: "this route changes fields of the body: send it in UTF-8, and say no other charset",
                status: 415)
        }
        if !owned.form.isEmpty { try checkForm(draft) }
        guard case .held(let body) = draft.content else { return }
        // Lenient readers take what is none: a byte order mark, comments, a comma at the end.
        if !owned.json.isEmpty, draft.isJSON, (try? JSONDocument(parsing: body)) == nil {
            throw GatewayError.badRequest("this route attaches JSON members: the body is no JSON (RFC 8259)")
        }
        if !owned.xml.isEmpty, draft.isXML, (try? XMLDocument(parsing: body, anyCharset: true)) == nil {
            throw GatewayError.badRequest("this route attaches XML elements: the body is no well-formed XML")
        }
    }

    private static func checkForm(_ draft: RequestDraft) throws(GatewayError) {
        if !draft.isForm, !draft.isMultipart, let type = draft.contentType,
            MediaType.essence(of: type).starts(with: "multipart/".utf8)
        {
            // Rack finds the fields of a form in there too.
            throw GatewayError(
                .badRequest,
                detail: "this route attaches form fields: of multipart bodies it takes multipart/form-data",
                status: 415)
        }
        if draft.isMultipart, draft.multipart == nil {
            throw GatewayError.badRequest(
                "this route attaches form fields: the multipart body is broken or can be read in two ways "
                    + "(one boundary, which stands nowhere but in delimiter lines; nothing before the first or behind the last)"
            )
        }
        // A hidden field of HTML tells the charset of all others, and some readers believe it.
        for label in charsetFields(draft) where !label.isEmpty && Charset(label: label)?.keepsASCII != true {
            throw GatewayError(
                .badRequest, detail: "this route changes fields of the body: its _charset_ must leave ASCII as it is",
                status: 415)
        }
    }

    private static let charsetName = OwnedNames([Array("_charset_".utf8)])

    private static func charsetFields(_ draft: RequestDraft) -> [ArraySlice<UInt8>] {
        if let multipart = draft.multipart {
            return multipart.parts.filter { charsetName.contains($0.name.span) }.map { $0.value[...] }
        }
        // Nearly always there is none, and then nothing is decoded.
        guard draft.isForm, case .held(let body) = draft.content,
            PairText.dropping(charsetName, from: body.span) != nil
        else { return [] }
        let pairs = Percent.pairs(body.span)
        return (0..<pairs.count).filter { charsetName.contains(pairs.name(at: $0).span) }.map { pairs.value(at: $0) }
    }

    /// The charset that the body claims leaves ASCII what it is. JSON knows UTF-8 alone (RFC 8259 8.1). In sets of two bytes
    /// the second can be a backslash, which escapes in a multipart name and means nothing in a form or in XML.
    private static func isReadable(_ draft: RequestDraft, _ type: ArraySlice<UInt8>) -> Bool {
        guard draft.isForm || draft.isJSON || draft.isMultipart || draft.isXML else { return true }
        guard let label = MediaType.only("charset", of: type) else { return false }
        let charset = label.isEmpty ? .utf8 : Charset(label: label)
        if draft.isJSON { return charset?.isUTF8 ?? false }
        if draft.isMultipart { return charset?.isUTF8 ?? false || charset == .latin1 }
        guard charset?.keepsASCII ?? false else { return false }
        guard draft.isXML, case .held(let body) = draft.content else { return true }
        let mark = body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let declared = Unwrapper.declared(body[mark...]) else { return true }
        return Charset(label: declared)?.keepsASCII ?? false
    }

    private static func count(of name: StaticString, in fields: PairBlock) -> Int {
        (0..<fields.count).count { index in name.withSpan { ASCII.equalFolded(fields.name(at: index).span, $0) } }
    }
}
