package import Expressions

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
    }
    /// In the order of the config file.
    package var fields: [Field]
    package init(fields: [Field] = []) { self.fields = fields }
    package var isEmpty: Bool { fields.isEmpty }
    package func touches(_ place: Place) -> Bool { fields.contains { $0.place == place } }
}
