/// A name of the scope that an expression uses.
package struct Reference: Sendable, Hashable {
    /// A root name, or an object inside one: `request.original.path` is `original` of `request`, and `path` of
    /// `request.original`.
    package let name: String
    /// The member that is looked up (`form` in `request.form.token`); `nil` when the name is used as a whole.
    package let member: String?

    package init(_ name: String, _ member: String? = nil) {
        self.name = name
        self.member = member
    }
}
