/// Something of the host that an expression may look into, such as `request`. Members are resolved to an index when the
/// expression is checked, so that a look-up at run time is a `switch`, not a dictionary.
package protocol HostObject: AnyObject {
    /// The shape, the same for every look-up.
    var objectType: ObjectType { get }

    /// Value of the member at `index` in `objectType.members`.
    /// - Throws: `EvaluationError.unavailable` when there is no such thing now (a body that is not JSON, say).
    func member(_ index: Int) throws(EvaluationError) -> Value

    /// Appends the text of the member at `index` without a value in between, which for a secret would be one more copy in
    /// memory. False: nothing was appended, ask `member`.
    func append(_ index: Int, to output: inout [UInt8]) throws(EvaluationError) -> Bool

    /// Value of a member that the type does not list; only asked when the type has `dynamic` set.
    func member(named name: ArraySlice<UInt8>) throws(EvaluationError) -> Value?
}

extension HostObject {
    package func append(_ index: Int, to output: inout [UInt8]) throws(EvaluationError) -> Bool { false }

    package func member(named name: ArraySlice<UInt8>) throws(EvaluationError) -> Value? { nil }
}
