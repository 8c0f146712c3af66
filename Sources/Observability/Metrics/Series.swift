/// One series of a family: a name, its label values, one cell. An index, so that counting is an array add. Only valid for
/// the family that registered it.
package struct Series: Sendable, Equatable {
    let index: Int

    /// The series of a family without labels.
    package static let only = Series(index: 0)
}
