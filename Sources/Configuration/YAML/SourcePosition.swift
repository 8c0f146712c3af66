/// Place in a config file: line and column from 1, column in characters as editors count.
package struct SourcePosition: Sendable, Equatable {
    package var line: Int
    package var column: Int
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
