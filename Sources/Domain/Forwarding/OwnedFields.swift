import Bytes

/// Names that belong to the gateway on one route, by place. A client's own field of that name is dropped before
/// anything is attached, so that it can neither override nor double a credential (peers: Vault's client token wins
/// silently; dialects 3.3 rule 9). Names are compared as the most lenient reader of their place would: without regard to
/// case, and see `OwnedNames` for what forms and queries fold besides.
package struct OwnedFields: Sendable {
    package private(set) var headers: [[UInt8]] = []
    /// With the names of `form`: many servers read both as one, and in some the query comes first (servlets).
    package let query: OwnedNames
    package let form: OwnedNames
    package private(set) var json: [JSONPlace] = []
    package private(set) var xml: [[UInt8]] = []
    package private(set) var cookies: [[UInt8]] = []

    package init(_ plans: [AttachPlan], _ names: [OwnedName] = []) {
        var (query, form): ([[UInt8]], [[UInt8]]) = ([], [])
        for field in plans.flatMap(\.fields).map({ OwnedName($0.place, $0.name) }) + names {
            switch field.place {
            case .header: headers.append(field.name)
            case .query: query.append(field.name)
            case .form: form.append(field.name)
            case .json: if let place = JSONPlace(field.name) { json.append(place) }
            case .xml: xml.append(field.name)
            case .body: break
            case .cookie: cookies.append(field.name)
            }
        }
        self.query = OwnedNames(query + form)
        self.form = OwnedNames(form)
    }

    /// Whether the list holds this name; header names fold case.
    package static func contains(_ names: [[UInt8]], _ name: Span<UInt8>, folding: Bool = false) -> Bool {
        for index in names.indices where names[index].count == name.count {
            let owned = names[index]
            if folding ? ASCII.equalFolded(owned.span, name) : ASCII.equal(owned.span, name) { return true }
        }
        return false
    }
}
