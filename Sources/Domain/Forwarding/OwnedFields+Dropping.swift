import Bytes
import JSONBytes
import XMLBytes

extension OwnedFields {
    /// Takes these names out of the request's query and body; its header fields are another matter.
    func dropPairs(from draft: RequestDraft) {
        if let own = draft.query, let kept = PairText.dropping(query, from: own.span) {
            draft.query = kept.isEmpty ? nil : kept
        }
        dropFromBody(of: draft)
    }

    func dropFromBody(of draft: RequestDraft) {
        guard case .held(let body) = draft.content else { return }
        // Rack takes a body without a type for a form.
        if draft.isForm || draft.contentType == nil, let kept = PairText.dropping(form, from: body.span) {
            draft.content = .held(kept)
        } else if draft.isMultipart, !form.isEmpty, let kept = draft.multipart?.dropping(form) {
            draft.content = .held(kept)
        } else if !draft.isForm, !json.isEmpty, let kept = JSONText.dropping(json, from: body) {
            draft.content = .held(kept)
        } else if let kept = XMLDocument.dropping(xml, from: body) {
            draft.content = .held(kept)
        }
    }
}
