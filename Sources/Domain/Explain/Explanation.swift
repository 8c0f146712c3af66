package import Bytes
package import Expressions

/// What would become of one request, as far as it can be told without a network. Holds secrets in the clear: whoever
/// prints it masks them. Everything after the step that refuses the request is empty.
package struct Explanation {
    /// A field of the client that does not go upstream.
    package struct Dropped: Equatable {
        /// Why a field of the client's does not go on.
        package enum Reason: String, Sendable {
            case owned = "belongs to the gateway"
            case credential = "the session takes the place of the client's own credential"
            case hopByHop = "is for this hop only, or follows from the upstream and the body"
            case underscore = "has _ in its name"
            case coding = "the answer is looked into, so it must not be coded"
        }
        package var place: AttachPlan.Place
        package var name: [UInt8]
        package var reason: Reason
    }

    /// The session that the request goes out with.
    package struct Session {
        /// Where the session's values come from.
        package enum State: String, Sendable {
            /// The client's login rule is `never`.
            case unused
            /// `login: optional` and no value is known: the request goes out as a guest's.
            case guest
            case attached
        }
        package var name: String
        package var state: State
        /// The route's `login`.
        package var rule: RoutePlan.LoginRule
        /// Captures in order; a value that is not known stands as `<session.NAME>`.
        package var captures: [(name: String, value: [UInt8], isGiven: Bool)]
        /// The test for expiry, as written; `nil`: status 401.
        package var expired: String?
    }

    /// The request as it leaves, HTTP/1.1.
    package struct FinalRequest {
        /// Method, target and version.
        package var line: [UInt8]
        /// With `Host` and the framing fields, in the order of the wire.
        package var fields: PairBlock
        /// Empty when there is none.
        package var body: [UInt8]

        /// Byte for byte.
        package var bytes: [UInt8] {
            var text = line + [0x0D, 0x0A]
            for index in 0..<fields.count {
                text += fields.name(at: index) + [0x3A, 0x20] + fields.value(at: index) + [0x0D, 0x0A]
            }
            return text + [0x0D, 0x0A] + body
        }
    }

    /// `nil`: no route matches.
    package var route: RoutePlan?
    package var upstream: UpstreamPlan?
    /// `nil`: the route has none.
    package var session: Session?
    /// In the order in which the client sent them.
    package var dropped: [Dropped] = []
    /// Target after the rewrite; `nil`: there is none.
    package var rewritten: [UInt8]?
    /// Attached fields and variables of the signature, in the order of their evaluation.
    package var computed: [AssemblyTrace.Computed] = []
    /// Digests taken in the expression that failed.
    package var unfinishedCalls: [CryptographicCall] = []
    /// The `skip` of the signature holds for this request.
    package var skipsSignature = false
    /// `nil` when the request would be refused.
    package var request: FinalRequest?
    /// What would become of the sample answer; `nil`: none was given, or the request does not go out.
    package var answer: AnswerExplanation?
    /// Why the gateway would answer itself instead; `nil`: the request goes out.
    package var refusal: GatewayError?

    /// Keys of signatures, derived ones among them: secrets, whatever expression they come from.
    package var keys: [[UInt8]] {
        (computed.flatMap(\.calls) + unfinishedCalls).map(\.key).filter { !$0.isEmpty }
    }
}

extension Explanation: CustomStringConvertible, CustomReflectable {
    package var description: String { "explanation" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
