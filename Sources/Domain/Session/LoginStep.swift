package import Expressions

/// One request of a login and what its answer means.
package struct LoginStep: Sendable {
    /// JSON body of a login: objects and arrays of templates; a template that is one `${...}` keeps its type.
    package indirect enum JSONShape: Sendable {
        case value(Template)
        case literal([UInt8])
        case object([JSONMember])
        case array([JSONShape])
    }
    /// One member of a JSON object.
    package struct JSONMember: Sendable {
        /// As text, not yet escaped.
        package var key: [UInt8]
        package var value: JSONShape
        package init(key: [UInt8], value: JSONShape) {
            self.key = key
            self.value = value
        }
    }
    /// What the request carries.
    package enum Body: Sendable {
        case none
        case form([NamedTemplate])
        case json(JSONShape)
        /// XML: the text of each `${...}` is escaped.
        case xml(Template)
        case multipart([Part])
        case raw(Template)
    }
    /// One part of a `multipart/form-data` body (RFC 7578).
    package struct Part: Sendable {
        package var name: [UInt8]
        package var value: Template
        /// With one, the part is a file.
        package var fileName: Template?
        /// `Content-Type` of the part; `nil`: none is said.
        package var type: [UInt8]?
        package init(name: [UInt8], value: Template, fileName: Template? = nil, type: [UInt8]? = nil) {
            self.name = name
            self.value = value
            self.fileName = fileName
            self.type = type
        }
    }
    /// A value of this step, `vars.NAME`, computed once before its request.
    package struct Variable: Sendable {
        package enum Source: Sendable {
            case expression(Expression)
            case template(Template)
        }
        package var name: String
        /// An expression that is evaluated, or what the program makes itself.
        package var source: Source
        package init(name: String, source: Source) {
            self.name = name
            self.source = source
        }
    }
    /// The step is asked again while its answer says "not yet": somebody has to approve the login elsewhere (RFC 8628).
    package struct Poll: Sendable {
        /// Over the answer: not yet.
        package var pending: Expression
        /// Over the answer: not yet, and ask 5 s less often from now on (RFC 8628 3.5).
        package var slower: Expression?
        /// Seconds between two tries; 5 without it.
        package var every: Expression?
        /// Seconds until it is given up; 900 without it.
        package var longest: Expression?
        package init(pending: Expression) { self.pending = pending }
    }
    /// A success that is none, with what to say about it.
    package struct Fault: Sendable {
        /// Over the answer.
        package var test: Expression
        package var reason: String
        package init(test: Expression, reason: String) {
            self.test = test
            self.reason = reason
        }
    }
    /// What the answer gives to the session.
    package struct Capture: Sendable {
        /// Index into `SessionPlan.captureNames`.
        package var slot: Int
        package var value: Expression
        package init(slot: Int, value: Expression) {
            self.slot = slot
            self.value = value
        }
    }
    package var method: [UInt8]
    /// Where the request goes when it is not the session's own upstream.
    package var upstream: Int?
    /// In order: one may use those before it.
    package var variables: [Variable] = []
    /// The request is sent again until its answer is there.
    package var poll: Poll?
    /// What a person has to do while the step is polled; without `poll`: what they are asked before it is sent.
    package var human: Template?
    /// Path and query, behind the upstream's own path.
    package var path: Template
    /// Appended to the query of `path`.
    package var query: [NamedTemplate]
    package var headers: [NamedTemplate]
    package var body: Body
    /// By which its answer is read, where the session names one.
    package var envelope: EnvelopePlan?
    /// Applied in order, last of all.
    package var signatures: [SignaturePlan] = []
    /// `nil`: status in 200..299.
    package var success: Expression?
    /// Over the answer, before `success`: these credentials will never do. `nil`: no answer says so.
    package var refused: Expression?
    /// Over an answer that is no success: when the upstream may be asked again; seconds, a duration or a time.
    package var retryAfter: Expression?
    /// Looked at after `success`, in order.
    package var faults: [Fault] = []
    /// Read from an answer that is a success.
    package var captures: [Capture]

    /// A person has to answer before it is sent.
    package var asks: Bool { human != nil && poll == nil }

    package init(method: [UInt8], path: Template) {
        self.method = method
        self.path = path
        query = []
        headers = []
        body = .none
        captures = []
    }
}
