package import Expressions

/// A name and what it is given: a query parameter, a header field, a field of a form, a parameter of a signature.
package struct NamedTemplate: Sendable {
    package var name: [UInt8]
    package var value: Template
    package init(name: [UInt8], value: Template) {
        self.name = name
        self.value = value
    }
}
