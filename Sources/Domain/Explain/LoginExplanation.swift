package import Expressions

/// What a session would send to log in, as far as it can be told without a network. Holds secrets in the clear: whoever
/// prints it masks them.
package struct LoginExplanation {
    /// One request of the recipe.
    package struct Step {
        /// `login` or `refresh`, with its number where there are several.
        package var name: String
        package var recipe: LoginStep
        package var upstream: UpstreamPlan
        /// Variables, texts that digests were made of, and what signatures attached, in the order of their evaluation.
        package var computed: [AssemblyTrace.Computed] = []
        package var unfinishedCalls: [CryptographicCall] = []
        package var skipsSignature = false
        /// Captures that the request is made of and whose values are not known.
        package var placeholders: [String] = []
        /// `nil`: the recipe has no value for it; `refusal` says why.
        package var request: Explanation.FinalRequest?
        package var refusal: GatewayError?
        /// What would become of the sample answer; `nil`: it is for another step, or none was given.
        package var answer: AnswerExplanation?

        /// Keys of signatures, derived ones among them.
        package var keys: [[UInt8]] {
            (computed.flatMap(\.calls) + unfinishedCalls).map(\.key).filter { !$0.isEmpty }
        }
    }

    package var session: SessionPlan
    package var upstream: UpstreamPlan
    /// In slot order; a value that is not known stands as `<session.NAME>`.
    package var captures: [(name: String, value: [UInt8], isGiven: Bool)]
    package var login: [Step] = []
    /// Tried first while what it needs is there.
    package var refresh: [Step] = []

    package var steps: [Step] { login + refresh }
    package var isRefused: Bool { steps.contains { $0.refusal != nil } }
}

extension LoginExplanation: CustomStringConvertible, CustomReflectable {
    package var description: String { "login explanation" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
