/// The members of a kind of host object.
package final class ObjectType: Sendable, Equatable {
    package typealias Member = (name: String, type: StaticType)

    package let name: String
    package let members: [Member]
    /// Type of members that are not listed; `nil` (the default) means that there are none, and that a name which is not
    /// listed is an issue when the expression is checked.
    package let dynamic: StaticType?
    /// What is compiled serves several places, and others may have what is not listed here: a test for it (`has(a.b)`,
    /// `a.?b`, `"b" in a`) finds nothing, and reading it is an issue only where it is reached.
    package let isPartial: Bool

    package init(name: String, members: [Member], dynamic: StaticType? = nil, isPartial: Bool = false) {
        self.name = name
        self.members = members
        self.dynamic = dynamic
        self.isPartial = isPartial
    }

    package func index(of name: String) -> Int? { members.firstIndex { $0.name == name } }

    func index(of name: ArraySlice<UInt8>) -> Int? {
        members.firstIndex { $0.name.utf8.elementsEqual(name) }
    }

    package static func == (a: ObjectType, b: ObjectType) -> Bool { a === b }
}
