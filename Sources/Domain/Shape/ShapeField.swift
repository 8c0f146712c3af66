import Expressions

/// One top-level field of a request on its way from one shape to another.
struct ShapeField {
    var name: [UInt8]
    /// A part of a JSON document keeps its text, numbers all their digits.
    var value: Value
    /// It came as a pair of texts: its name may say a place within a value.
    var isPair: Bool

    /// Most levels of values within values; names in a form grow with each.
    static let mostLevels = 32
}
