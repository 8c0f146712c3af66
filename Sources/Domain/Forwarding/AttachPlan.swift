import Bytes
import JSONBytes
package import Expressions
import XMLBytes

/// Fields that the gateway adds to a request, by place. What is named here belongs to the gateway: a client's own field
/// of that name and place is dropped first.
package struct AttachPlan: Sendable {
    /// `json`: a member of the object at the root; `xml`: an element inside the root.
    package enum Place: Sendable, CaseIterable { case header, query, form, json, xml, cookie, body }
    package struct Field: Sendable {
        package var place: Place
        /// Empty for `body`, which is replaced as a whole. As written; header names compare without case.
        package var name: [UInt8]
        package var value: Template
        package init(place: Place, name: [UInt8], value: Template) {
            self.place = place
            self.name = name
            self.value = value
        }

        func isNamed(_ other: [UInt8]) -> Bool {
            place == .header ? ASCII.equalFolded(name.span, other.span) : name == other
        }
    }
    /// In the order of the config file.
    package var fields: [Field]
    package init(fields: [Field] = []) { self.fields = fields }
    package var isEmpty: Bool { fields.isEmpty }
    package func touches(_ place: Place) -> Bool { fields.contains { $0.place == place } }

    /// Without the fields that another plan sets: the narrower one wins.
    package func yielding(to plans: [AttachPlan]) -> AttachPlan {
        let others = plans.flatMap(\.fields)
        return AttachPlan(
            fields: fields.filter { field in
                !others.contains { $0.place == field.place && $0.isNamed(field.name) }
            })
    }

    /// The fields that this request has a place for: a form field needs a form, or a request that may become one.
    func fitting(_ draft: RequestDraft) -> AttachPlan {
        AttachPlan(
            fields: fields.filter { field in
                switch field.place {
                case .header, .query, .cookie: true
                case .form: draft.takesBody && (draft.hasBody ? draft.isForm : !draft.isJSON)
                case .json: draft.takesBody && draft.hasBody && draft.isJSON
                case .xml: draft.takesBody && draft.hasBody && draft.isXML
                case .body: draft.takesBody
                }
            })
    }

    /// The fields that the request does not have yet: what a login recipe sets itself stays.
    func missing(in draft: RequestDraft) -> AttachPlan {
        let query = draft.query.map { Percent.pairs($0.span) } ?? PairBlock()
        var body: [UInt8] = []
        if case .held(let bytes) = draft.content { body = bytes }
        let form = draft.isForm ? Percent.pairs(body.span) : PairBlock()
        let xml = draft.isXML ? try? XMLDocument(parsing: body, anyCharset: true) : nil
        let json = draft.isJSON ? try? JSONDocument(parsing: body).root : nil
        return AttachPlan(
            fields: fields.filter { field in
                switch field.place {
                case .header: draft.fields.firstIndex(of: field.name.span, folding: true) == nil
                case .query: query.firstIndex(of: field.name.span, folding: false) == nil
                case .form: form.firstIndex(of: field.name.span, folding: false) == nil
                case .json: json?.member(field.name.span) == nil
                case .xml: !(xml?.has(field.name) ?? false)
                case .body: !draft.hasBody
                case .cookie: true
                }
            })
    }
}
