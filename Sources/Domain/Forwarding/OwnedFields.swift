import Bytes

/// Names that belong to the gateway on one route, by place. A client's own field of that name is dropped before
/// anything is attached, so that it can neither override nor double a credential (peers: Vault's client token wins
/// silently; dialects 3.3 rule 9).
package struct OwnedFields: Sendable {
    /// Names by place. Those of headers are compared without case, all others as they are.
    package private(set) var headers: [[UInt8]] = []
    package private(set) var query: [[UInt8]] = []
    package private(set) var form: [[UInt8]] = []
    package private(set) var json: [[UInt8]] = []
    package private(set) var xml: [[UInt8]] = []
    package private(set) var cookies: [[UInt8]] = []

    package init(_ plans: [AttachPlan], _ names: [OwnedName] = []) {
        for field in plans.flatMap(\.fields).map({ OwnedName($0.place, $0.name) }) + names {
            switch field.place {
            case .header: headers.append(field.name)
            case .query: query.append(field.name)
            case .form: form.append(field.name)
            case .json: json.append(field.name)
            case .xml: xml.append(field.name)
            case .body: break
            case .cookie: cookies.append(field.name)
            }
        }
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
