/// A scalar as written. The text is decoded (quotes, escapes and folding are gone); the field that takes it decides its type.
package struct YAMLScalar: Sendable, Equatable {
    package enum Style: Sendable, Equatable { case plain, singleQuoted, doubleQuoted, literal, folded }
    package var text: String
    package var style: Style

    /// `null`, `~` or nothing, unquoted: the key counts as not written.
    package var isNull: Bool {
        style == .plain && (text.isEmpty || text == "~" || text == "null" || text == "Null" || text == "NULL")
    }
}
