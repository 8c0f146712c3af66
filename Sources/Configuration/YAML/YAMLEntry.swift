/// One key of a mapping with its value.
package struct YAMLEntry: Sendable {
    package var key: String
    package var keyPosition: SourcePosition
    package var value: YAMLNode
}
