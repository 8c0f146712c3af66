import Bytes
import Expressions

/// Where credentials get into the requests of one route: what the upstream, the route, the session and the signatures attach,
/// and what the rewrite puts into the target.
package struct CredentialSources {
    enum Part {
        case field(Template)
        /// One `${...}` of a rewrite.
        case piece(Expression)

        var references: Set<Reference> {
            switch self {
            case .field(let template): template.references
            case .piece(let expression): expression.references
            }
        }

        func value(_ scope: ExchangeScope) -> Value? {
            switch self {
            case .field(let template): try? template.evaluate(scope)
            case .piece(let expression): try? expression.evaluate(scope)
            }
        }
    }

    struct Source {
        let part: Part
        /// What it is made of, the variables of its signature resolved.
        let names: Set<Reference>
        /// Made of the credential alone: the same for every request. A constant is no credential: `Accept: application/json`
        /// would not be missed, but found everywhere.
        let isOwn: Bool

        init(_ part: Part, _ names: Set<Reference>) {
            (self.part, self.names) = (part, names)
            isOwn = part.references.allSatisfy { ["session", "secret", "device"].contains($0.name) }
        }
    }

    let sources: [Source]
    /// Names of the session's captures, in slot order.
    let captureNames: [String]
    /// Fields and parameters whose values are made anew for each request: a JWT, a signature.
    private let made: [OwnedName]

    package init(route: RoutePlan, session: SessionPlan?, upstream: UpstreamPlan) {
        captureNames = session?.captureNames ?? []
        var sources: [Source] = []
        var made = route.signatures.flatMap(\.builtIns).flatMap(\.owned).filter {
            $0.place == .header && SensitiveFields.isClientCredential($0.name.span)
        }
        func add(_ attach: AttachPlan, _ variables: [String: Set<Reference>] = [:]) {
            for field in attach.fields {
                let source = Source(.field(field.value), Self.resolved(field.value.references, variables))
                guard source.names.contains(where: \.isCredential) else { continue }
                sources.append(source)
                if !source.isOwn, field.place == .header || field.place == .query {
                    made.append(OwnedName(field.place, field.name))
                }
            }
        }
        for attach in [upstream.attach, route.attach, session?.attach ?? AttachPlan()] { add(attach) }
        for signature in route.signatures {
            var variables: [String: Set<Reference>] = [:]
            for variable in signature.variables {
                variables[variable.name] = Self.resolved(variable.value.references, variables)
            }
            add(signature.attach, variables)
        }
        sources += (route.rewrite?.expressions ?? []).map { Source(.piece($0), $0.references) }.filter {
            $0.names.contains(where: \.isCredential)
        }
        (self.sources, self.made) = (sources, made)
    }

    package var isEmpty: Bool { sources.isEmpty && made.isEmpty }

    private static func resolved(
        _ names: Set<Reference>, _ variables: [String: Set<Reference>]
    ) -> Set<Reference> {
        names.reduce(into: names) { result, name in
            guard name.name == "vars" else { return }
            for (variable, made) in variables where name.member ?? variable == variable { result.formUnion(made) }
        }
    }

    /// What this request went out with besides, up to so many bytes.
    package func made(for draft: RequestDraft, longest: Int) -> [[UInt8]] {
        guard !made.isEmpty, longest >= AttachedCredentials.least else { return [] }
        let query = made.contains { $0.place == .query } ? draft.query.map { Percent.pairs($0.span) } : nil
        return made.flatMap { name -> [[UInt8]] in
            let block = name.place == .header ? draft.fields : query ?? PairBlock()
            guard let index = block.firstIndex(of: name.name.span, folding: name.place == .header) else { return [] }
            return AttachedCredentials.spellings(of: block.value(at: index)).filter { $0.count <= longest }
        }
    }
}

extension Reference {
    fileprivate var isCredential: Bool { name == "session" || name == "secret" }
}
