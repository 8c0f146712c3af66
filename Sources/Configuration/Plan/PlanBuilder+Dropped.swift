import Domain
import Expressions

/// Recipes that look in the request for what the gateway has taken out of it by then. Warnings: there they never find
/// anything, and a value of the client's is lost without a word.
extension PlanBuilder {
    /// - Parameters:
    ///   - attach: the route's.
    ///   - signatures: in the order of the route.
    func checkDropped(
        _ route: Placed<RawRoute>, _ attach: AttachPlan, upstream: Int?, session: Int?, _ signatures: [SignaturePlan]
    ) {
        guard !issues.hasErrors else { return }
        var stages = [(raw: route.value.attach, plan: attach)]
        if let session, let plan = sessionAttaches[session] {
            stages.append((raw.sessions[session].value.attach, plan))
        }
        let owned = (stages.map(\.plan) + signatures.map(\.attach)).flatMap(\.names)
        // Common fields give way to those of the same name.
        let common = upstream.map { raw.upstreams[$0].value.attach.names } ?? []
        var look = DroppedLook(owned: owned, present: common.filter { !owned.contains($0) })
        func check(_ raw: RawAttach, _ plan: AttachPlan) {
            let inside = look
            for (field, source) in zip(plan.fields, raw.fields) {
                tell(look.missing(field.value.lookups), at: source.cursor)
                // Header fields are set one by one; what goes elsewhere is put together first.
                if field.place == .header { look.present.append(OwnedName(field.place, field.name)) }
            }
            look.present = inside.present + plan.names
        }
        for stage in stages { check(stage.raw, stage.plan) }
        for plan in signatures {
            guard let raw = raw.signatures.first(where: { $0.name == plan.name })?.value else { continue }
            if let cursor = raw.skip, let skip = plan.skip { tell(look.missing(skip.lookups), at: cursor) }
            for (source, variable) in zip(raw.variables, plan.variables) {
                tell(look.missing(variable.value.lookups), at: source.value)
            }
            check(raw.attach, plan.attach)
        }
    }

    private func tell(_ way: [String]?, at cursor: Cursor) {
        guard let way, warned.insert("\(cursor.path) \(way)").inserted else { return }
        let keys = way.dropFirst(2).map { Quoted.plain($0) }
        cursor.report(
            "request.\(way[1])\(keys.map { "[\"\($0)\"]" }.joined()) is never there: the gateway attaches it, so the client's is "
                + "dropped",
            hint: "the client's own is request.original.\(way[1])\(keys.map { "[?\"\($0)\"]" }.joined())",
            severity: .warning)
    }
}

/// What look-ups in the request can find while it is put together.
private struct DroppedLook {
    /// Names that are attached sooner or later: of these the client's are gone.
    let owned: [OwnedName]
    /// Names that are attached by now.
    var present: [OwnedName]

    /// The shortest of these look-ups that never finds anything.
    func missing(_ lookups: Set<[String]>) -> [String]? {
        let ways = lookups.filter { way in
            way.count > 2 && way[0] == "request" && owned.contains { Self.drops($0, way) }
                && !present.contains { Self.gives($0, way) }
        }
        return ways.min { ($0.count, $0.joined()) < ($1.count, $1.joined()) }
    }

    private static func drops(_ name: OwnedName, _ way: [String]) -> Bool {
        // A form field's name is dropped from the query too.
        if way[1] == "query", name.place == .form { return OwnedNames([name.name]).contains(way[2]) }
        return isAt(name, way)
    }

    private static func gives(_ name: OwnedName, _ way: [String]) -> Bool {
        if way[1] == "json", name.place == .json, let place = JSONPlace(name.name) {
            return place.steps.starts(with: way.dropFirst(2)) || isAt(name, way)
        }
        return isAt(name, way)
    }

    /// The look-up is for this name, or for something inside it.
    private static func isAt(_ name: OwnedName, _ way: [String]) -> Bool {
        switch (way[1], name.place) {
        case ("headers", .header): OwnedFields.contains([name.name], Array(way[2].utf8).span, folding: true)
        case ("query", .query), ("form", .form): OwnedNames([name.name]).contains(way[2])
        case ("json", .json): JSONPlace(name.name).map { way.dropFirst(2).starts(with: $0.steps) } ?? false
        default: false
        }
    }
}

extension OwnedNames {
    fileprivate func contains(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return contains(bytes.span)
    }
}

extension JSONPlace {
    fileprivate var steps: [String] { way.map { String(decoding: $0, as: UTF8.self) } }
}

extension AttachPlan {
    fileprivate var names: [OwnedName] { fields.map { OwnedName($0.place, $0.name) } }
}

extension RawAttach {
    /// In the order of the plan's.
    fileprivate var fields: [(name: OwnedName, cursor: Cursor)] {
        let places: [(AttachPlan.Place, [Named<Cursor>])] = [
            (.header, header), (.query, query), (.form, form), (.json, json), (.xml, xml), (.cookie, cookie),
        ]
        let named = places.flatMap { place, fields in
            fields.map { (name: OwnedName(place, Array($0.name.utf8)), cursor: $0.value) }
        }
        return named + (body.map { [(name: OwnedName(.body, []), cursor: $0)] } ?? [])
    }

    fileprivate var names: [OwnedName] { fields.map(\.name) }
}
