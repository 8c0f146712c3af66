/// Place in a config file: line and column from 1, column in characters as editors count.
package struct SourcePosition: Sendable, Equatable {
    package var line: Int
    package var column: Int
    /// The profile whose line and column these are; `nil`: the config itself.
    var profile: ProfileText?

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    init(line: Int, column: Int, profile: ProfileText?) {
        self.line = line
        self.column = column
        self.profile = profile
    }

    /// For messages about another place: `on line 7`, `on line 7 of profile tpshop`.
    var lineText: String { profile.map { "on line \(line) of \($0.label)" } ?? "on line \(line)" }
}
