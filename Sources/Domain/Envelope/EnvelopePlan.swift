package import Bytes
package import Expressions

/// How one upstream wraps its answers, and how the gateway speaks that dialect itself.
package final class EnvelopePlan: Sendable {
    /// What the expressions look at.
    package struct Reads: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let json = Reads(rawValue: 1)
        package static let xml = Reads(rawValue: 2)
        package static let text = Reads(rawValue: 4)
    }
    package let name: String
    /// Media types that are read although they look like files, in lower case; `*` is any text.
    package let types: [[UInt8]]
    /// In the order in which they are taken.
    package let unwrap: [UnwrapStep]
    /// Over the answer that the steps leave: what is read instead of it, where it is encrypted or packed. An empty
    /// optional leaves the answer as it is. `nil`: nothing is.
    package let open: Expression?
    /// Over an answer: it is a success. `nil`: status in 200..299.
    package let ok: Expression?
    /// `nil`: there is none.
    package let code: Expression?
    /// `nil`: none.
    package let message: Expression?
    /// `nil`: none.
    package let data: Expression?
    /// Empty: answers made by the gateway use the standard envelope.
    package let render: [NamedTemplate]
    /// What the expressions look at, so that nothing else is parsed.
    package let reads: Reads
    /// `render` looks at the client's request.
    package let rendersRequest: Bool

    package init(
        name: String, types: [[UInt8]] = [], unwrap: [UnwrapStep], open: Expression? = nil, ok: Expression?,
        code: Expression?,
        message: Expression?, data: Expression?, render: [NamedTemplate]
    ) {
        self.types = types
        self.open = open
        rendersRequest = render.contains { $0.value.references.contains { $0.name == "request" } }
        self.name = name
        self.unwrap = unwrap.sorted { $0.rank < $1.rank }
        self.ok = ok
        self.code = code
        self.message = message
        self.data = data
        self.render = render
        reads = [ok, code, message, data].reduce(into: []) { reads, expression in
            for reference in expression?.references ?? [] { reads.formUnion(Reads(reference)) }
        }
    }

    /// The same envelope where `session` and `vars` have other members.
    package func compiled(in scope: Scope) throws(ExpressionIssues) -> EnvelopePlan {
        EnvelopePlan(
            name: name, types: types, unwrap: unwrap, open: try open?.compiled(in: scope),
            ok: try ok?.compiled(in: scope), code: try code?.compiled(in: scope),
            message: try message?.compiled(in: scope), data: try data?.compiled(in: scope), render: render)
    }

    /// What the expressions over an answer use.
    package var references: Set<Reference> {
        [open, ok, code, message, data].reduce(into: []) { $0.formUnion($1?.references ?? []) }
    }
}

extension EnvelopePlan.Reads {
    fileprivate init(_ reference: Reference) {
        switch (reference.name == "response" ? reference.member : reference.name) ?? "text" {
        case "json": self = .json
        case "xml": self = .xml
        case "text", "body": self = .text
        default: self = []
        }
    }
}

/// What a route does with the upstream's envelope.
package struct EnvelopeRule: Sendable {
    /// What the client gets.
    package enum Target: Sendable {
        case standard, problem
        /// The upstream's own dialect: answers pass as they are; gateway-made answers are rendered in it.
        case same
        case other(EnvelopePlan)
    }
    /// The upstream's HTTP status as it is; `map`: 422 for a failure that came with 2xx.
    package enum StatusRule: Sendable { case keep, map }
    package var from: EnvelopePlan
    package var target: Target
    package var status: StatusRule
    package init(from: EnvelopePlan, target: Target, status: StatusRule = .keep) {
        self.from = from
        self.target = target
        self.status = status
    }

    /// The route's clients get bodies made anew, not those of the upstream.
    package var makesBodies: Bool { if case .same = target { false } else { true } }

    /// The dialect that messages are told in; `nil`: a built-in one.
    package var dialect: EnvelopePlan? {
        switch target {
        case .standard, .problem: nil
        case .same: from
        case .other(let plan): plan
        }
    }

    /// What it looks at of an answer, and of the client's request.
    var references: Set<Reference> {
        (dialect?.render ?? []).reduce(into: from.references) { $0.formUnion($1.value.references) }
    }

    /// Whether an answer is told anew. Redirects pass as they are: what they say is their `Location`. So does what has no
    /// body by its status (204, 205, 304), and a file, which is no envelope. A HEAD is asked about like the GET that it stands for.
    package func tells(status: Int, fields: PairBlock) -> Bool {
        guard makesBodies, status != 204, status != 205, !(300..<400 ~= status) else { return false }
        let type = fields.first("content-type", folding: true)
        if let type, !from.types.isEmpty {
            let essence = MediaType.essence(of: type)
            if from.types.contains(where: { Unwrapper.matches(essence[...], $0[...]) }) { return true }
        }
        // A refusal may have kept the fields of the file that it refuses.
        if 200..<300 ~= status, MediaType.isAttachment(fields) { return false }
        return !MediaType.isDownload(type)
    }
}
