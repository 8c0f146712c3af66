/// A name of the scope that an expression uses.
package struct Reference: Sendable, Hashable {
    package let name: String
    /// The member that is looked up (`form` in `request.form.token`); `nil` when the name is used as a whole.
    package let member: String?

    package init(_ name: String, _ member: String? = nil) {
        self.name = name
        self.member = member
    }
}
