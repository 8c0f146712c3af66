package import Expressions

/// Brings a request into the shape that the upstream wants: the same fields, carried another way.
package struct ShapePlan: Sendable {
    package enum Source: String, Sendable, CaseIterable {
        /// By the content type; a request without a body is left as it is.
        case auto
        case json, form
        /// The client's query, which is taken out of the target.
        case query
    }
    package enum Target: String, Sendable, CaseIterable { case keep, form, json, multipart, query, xml }
    /// How a value within a value gets a name in a form, and back.
    package enum Nesting: String, Sendable, CaseIterable {
        /// `a[b]=1&c[]=2`: PHP, Rails, jQuery, AFNetworking.
        case brackets
        /// `a.b=1&c[0]=2`: Spring, ASP.NET.
        case dots
        /// The inner value as JSON text in one field; a list of plain values repeats the name.
        case json
    }
    /// A new value for the top-level fields of this name, over `value`.
    package struct Transform: Sendable {
        package var name: [UInt8]
        package var value: Template
        package init(name: [UInt8], value: Template) {
            self.name = name
            self.value = value
        }
    }
    package var source = Source.auto
    package var target = Target.keep
    package var nesting = Nesting.brackets
    /// Name of the root element of an XML body.
    package var root = Array("xml".utf8)
    /// `nil`: the client's.
    package var method: [UInt8]?
    package var transforms: [Transform] = []

    package init() {}

    /// The body must be here whole.
    package var needsBody: Bool { source != .query && (target != .keep || !transforms.isEmpty) }
}
