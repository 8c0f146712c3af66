/// One key of a section as the table has it.
package struct KeyShape: Sendable {
    package var name: String
    package var type: ValueType
    package var isRequired: Bool
    /// As it would be written; `nil`: none.
    package var defaultText: String?
    /// One sentence for the manual and the schema.
    package var doc: String
}
