package import Bytes
import Expressions

/// A signature that is more than a recipe: built in, with templates for its parameters. It edits the draft, and what it
/// signed is what is sent.
package protocol RequestSigner: Sendable {
    /// What it needs of the body.
    var body: BodyNeed { get }
    /// Fields that it writes itself: a client's own of that name and place are dropped.
    var owned: [OwnedName] { get }
    /// What takes off the frame that the client put around the body for a signature of its own; `nil`: there is none.
    /// - Throws: `.badRequest` when the head announces a frame that cannot be.
    func unframer(of fields: PairBlock) throws(GatewayError) -> AWSUnframer?
    /// - Throws: `.badRequest` when a parameter has no value or the request cannot be signed; nothing is sent then.
    func sign(_ draft: RequestDraft, _ scope: ExchangeScope, recipe: String) throws(GatewayError)
}

extension RequestSigner {
    package func unframer(of fields: PairBlock) throws(GatewayError) -> AWSUnframer? { nil }
}

/// A field that belongs to the gateway.
package struct OwnedName: Sendable, Equatable {
    package var place: AttachPlan.Place
    package var name: [UInt8]

    package init(_ place: AttachPlan.Place, _ name: [UInt8]) {
        self.place = place
        self.name = name
    }

    package init(_ place: AttachPlan.Place, _ name: String) { self.init(place, Array(name.utf8)) }
}

/// How much of the body must be known before the head of a request can be sent.
package enum BodyNeed: Int, Sendable, Comparable {
    case nothing
    /// Its length, also when the client sends it in chunks.
    case length
    /// All of it when it is a form.
    case form
    /// All of it.
    case whole

    package static func < (a: BodyNeed, b: BodyNeed) -> Bool { a.rawValue < b.rawValue }
}

/// Puts a streamed body into a frame of its own (S3's signed chunks). Memory is bounded by one chunk.
package protocol BodyFramer: AnyObject {
    /// Adds what is ready for the wire.
    func frame(_ bytes: Span<UInt8>, into output: inout [UInt8])
    /// The body is complete.
    func finish(into output: inout [UInt8])
}

extension Template {
    /// The text, or a refusal that names the recipe and the key.
    func text(_ scope: ExchangeScope, _ recipe: String, _ key: String) throws(GatewayError) -> [UInt8] {
        var text: [UInt8] = []
        do {
            try append(to: &text, scope)
        } catch {
            throw GatewayError.recipe("\(recipe), \(key)", error, using: references, failed: names(behind: error))
        }
        return text
    }
}

extension RequestDraft {
    /// Bytes of the body as it will be sent; 0 without one, `nil` when that is not known.
    var contentCount: UInt64? {
        switch content {
        case .none: 0
        case .held(let bytes): UInt64(bytes.count)
        case .streamed(let count): count
        }
    }

    /// `http` or `https`.
    var scheme: String { isSecure ? "https" : "http" }

    /// Removes every field of this name.
    func dropField(_ name: [UInt8]) {
        fields.removeAll { block, index in ASCII.equalFolded(block.name(at: index).span, name.span) }
    }

    /// Puts a parameter that is encoded already behind the query.
    func appendToQuery(_ text: [UInt8]) {
        guard let query, !query.isEmpty else { return self.query = text }
        self.query = query.last == 0x26 ? query + text : query + [0x26] + text
    }
}
