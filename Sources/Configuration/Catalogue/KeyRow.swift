/// One key of the config file, for the manual.
package struct KeyRow: Sendable, Equatable {
    /// `upstreams.NAME.timeouts.connect`, `routes[].path`.
    package var path: String
    /// What it takes, in words.
    package var type: String
    package var isRequired: Bool
    /// As it would be written; `nil`: none.
    package var defaultText: String?
    /// One or two sentences.
    package var doc: String
}
