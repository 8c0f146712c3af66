import Domain
import Expressions
import HTTPWire
import XMLBytes

extension PlanBuilder {
    func shape(_ placed: Placed<RawShape>, in scope: Scope) -> ShapePlan? {
        let raw = placed.value
        var plan = raw.plan
        plan.method = raw.method?.bytes
        if let root = raw.root {
            plan.root = Array(root.value.utf8)
            if !XMLText.isName(Array(root.value.utf8)[...]) { root.cursor.report("no element can have this name") }
            if plan.target != .xml { root.cursor.report("has no effect without to: xml", severity: .warning) }
        }
        plan.transforms = raw.transforms.compactMap { field in
            guard let template = compiler.template(field.value, in: scope) else { return nil }
            let transform = ShapePlan.Transform(name: Array(field.name.utf8), value: template)
            if transform == nil {
                field.reportName("not a JSON pointer", hint: "like /user/password or /items/*/price")
            }
            return transform
        }
        if plan.source == .query, plan.target == .keep { plan.target = .query }
        let takesBody = plan.target != .keep && plan.target != .query
        if takesBody, raw.method == .get || raw.method == .head {
            (placed.cursor.member("method") ?? placed.cursor).report("a GET or HEAD request carries no body")
        }
        return plan
    }

    /// The body is of one kind; fields of another could never be added.
    func checkShape(_ placed: Placed<RawShape>, _ plans: [AttachPlan]) {
        let target = placed.value.plan.target
        guard target != .keep else { return }
        let kinds: [(AttachPlan.Place, [ShapePlan.Target])] = [(.form, [.form, .multipart]), (.json, [.json])]
        for (place, fits) in kinds where !fits.contains(target) && plans.contains(where: { $0.touches(place) }) {
            let what = place == .form ? "form" : "JSON"
            (placed.cursor.member("to") ?? placed.cursor).report(
                "session, signature or attach put \(what) fields into the body",
                hint: "to: \(fits.map(\.rawValue).joined(separator: " or "))")
        }
    }
}
