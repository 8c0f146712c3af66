package import Expressions

/// Brings a request into the shape that the upstream wants: the same fields, carried another way.
package struct ShapePlan: Sendable {
    package enum Source: String, Sendable, CaseIterable {
        /// By the content type; a request without a body is left as it is.
        case auto
        case json, form, multipart, xml
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
    /// A new value for the fields at one place, over `value`.
    package struct Transform: Sendable {
        /// As written in the config.
        package let name: [UInt8]
        /// From the top: names, positions in lists, `each`.
        let path: [[UInt8]]
        package let value: Template

        /// As a step of a path: every element of a list.
        static let each: [UInt8] = [0x2A]

        /// - Parameter name: the name of a top-level field, or a JSON pointer (RFC 6901), which begins with `/`. `nil` when it
        ///   begins so and is none, or is deeper than values may be.
        package init?(name: [UInt8], value: Template) {
            (self.name, self.value) = (name, value)
            guard name.first == 0x2F else {
                path = [name]
                return
            }
            guard let path = JSONPlace.steps(of: name), path.count <= ShapeField.mostLevels else { return nil }
            self.path = path
        }
    }
    package var source = Source.auto
    package var target = Target.keep
    package var nesting = Nesting.brackets
    /// Name of the root element of an XML body. `nil`: that of the XML body that it was, else `xml`.
    package var root: [UInt8]?
    /// `nil`: the client's.
    package var method: [UInt8]?
    package var transforms: [Transform] = []
    /// The client's query does not go on: what is there comes from the rewrite, `attach` and signatures.
    package var dropsQuery = false

    package init() {}

    /// More is changed than the method.
    var changesFields: Bool { source == .query || target != .keep || !transforms.isEmpty }
    /// The body must be here whole.
    package var needsBody: Bool { source != .query && changesFields }
}
