/// What a profile says about itself, for lists and the manual.
package struct ProfileFacts: Sendable, Equatable {
    /// A parameter or a secret. `initial` is a parameter's default; `nil`: it must be given.
    package struct Entry: Sendable, Equatable {
        package var name: String
        package var initial: String?
        package var doc: String
    }

    /// One sentence.
    package var summary: String
    /// Name of the profile that it extends.
    package var base: String?
    package var parameters: [Entry]
    package var secrets: [Entry]
}
