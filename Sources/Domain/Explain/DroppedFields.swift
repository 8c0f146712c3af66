import Bytes
import HTTPWire
import JSONBytes

/// Finds what the gateway takes out of a client's request, by comparing it before and after.
enum DroppedFields {
    static func list(
        _ head: RequestHead, _ draft: RequestDraft, _ route: RoutePlan, _ assembler: RequestAssembler
    ) -> [Explanation.Dropped] {
        var dropped: [Explanation.Dropped] = []
        func add(
            _ place: AttachPlan.Place, _ names: [[UInt8]], _ reason: (ArraySlice<UInt8>) -> Explanation.Dropped.Reason
        ) {
            for name in names {
                dropped.append(Explanation.Dropped(place: place, name: name, reason: reason(name[...])))
            }
        }
        if !route.keepsUnderscores {
            add(.header, (0..<head.droppedUnderscoreNames).map { Array(head.droppedUnderscoreName(at: $0)) }) { _ in
                .underscore
            }
        }
        let received = route.keepsUnderscores ? head.fieldsKeepingUnderscores { _ in true } : head.fields
        let framing = ["host", "content-length"].map { Array($0.utf8) }
        add(
            .header,
            missing(names(received), in: names(draft.fields)).filter { name in
                // They are always replaced; to tell each time would only hide the others.
                !OwnedFields.contains(framing, name.span, folding: true)
            }
        ) { _ in .hopByHop }
        assembler.settleKind(of: draft)
        let before = (names(draft.fields), query(draft), body(draft))
        let inner = innerMembers(draft, assembler)
        assembler.dropOwned(draft)
        add(.header, missing(before.0, in: names(draft.fields))) { name in
            if OwnedFields.contains(assembler.owned.headers, name.span, folding: true) { return .owned }
            return SensitiveFields.isClientCredential(name.span) ? .credential : .coding
        }
        add(.query, missing(before.1, in: query(draft))) { _ in .owned }
        add(draft.isJSON ? .json : .form, missing(before.2, in: body(draft))) { _ in .owned }
        add(.json, inner) { _ in .owned }
        return dropped
    }

    private static func names(_ block: PairBlock) -> [[UInt8]] { (0..<block.count).map { Array(block.name(at: $0)) } }

    private static func query(_ draft: RequestDraft) -> [[UInt8]] {
        draft.query.map { names(Percent.pairs($0.span)) } ?? []
    }

    private static func body(_ draft: RequestDraft) -> [[UInt8]] {
        guard case .held(let body) = draft.content else { return [] }
        if let multipart = draft.multipart { return multipart.parts.map(\.name) }
        if draft.isForm { return names(Percent.pairs(body.span)) }
        guard draft.isJSON, let root = try? JSONDocument(parsing: body).root, root.kind == .object else { return [] }
        return root.members.map { $0.key.text.map { Array($0) } ?? [] }
    }

    /// Members inside objects that are the gateway's, as JSON pointers.
    private static func innerMembers(_ draft: RequestDraft, _ assembler: RequestAssembler) -> [[UInt8]] {
        guard draft.isJSON, case .held(let body) = draft.content else { return [] }
        return assembler.owned.json.filter { !$0.parents.isEmpty && JSONText.dropping([$0], from: body) != nil }.map(
            \.text)
    }

    /// Names that are in the first list and not in the second, each as often as it is missing.
    private static func missing(_ before: [[UInt8]], in after: [[UInt8]]) -> [[UInt8]] {
        var rest = after
        return before.filter { name in
            guard let index = rest.firstIndex(of: name) else { return true }
            rest.remove(at: index)
            return false
        }
    }
}
