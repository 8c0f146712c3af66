import Expressions

/// One top-level field of a request on its way from one shape to another.
struct ShapeField {
    var name: [UInt8]
    /// A part of a JSON document keeps its text, numbers all their digits. A file is bytes.
    var value: Value
    /// It came as a pair of texts: its name may say a place within a value.
    var isPair: Bool
    /// What a multipart body said of it.
    var filename: [UInt8]?
    var type: [UInt8]?

    /// Most levels of values within values; names in a form grow with each.
    static let mostLevels = 32
}
