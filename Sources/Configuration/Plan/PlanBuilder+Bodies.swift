import Domain
import Expressions

extension PlanBuilder {
    /// A request of a recipe is always the same one: what has no place in its body could never be sent.
    /// - Parameters:
    ///   - plans: what is attached to it.
    ///   - whom: who attaches it, for the message.
    func checkBody(of request: Placed<RawLoginRequest>, takes plans: [AttachPlan], from whom: String) {
        let fields = plans.flatMap(\.fields).filter { !$0.mayBeLeftOut }
        let isBodiless = ["GET", "HEAD"].contains(request.value.method)
        let own = request.value.ownBody
        for place in AttachPlan.Place.allCases where fields.contains(where: { $0.place == place }) {
            guard let (what, bodies) = place.bodies else { continue }
            if isBodiless, own == nil || place == .body {
                return (request.cursor.member("method") ?? request.cursor).report(
                    "\(whom) adds \(what), and a GET or HEAD request carries no body", hint: "method: POST")
            }
            // A form and JSON are begun where there is no body; XML has to have a root element.
            if own == nil, place != .xml { continue }
            if let own, bodies.contains(own) { continue }
            (own.flatMap { request.cursor.member($0) } ?? request.cursor).report(
                "\(whom) adds \(what), and this request has no body that takes them", hint: "write it as \(bodies[0])")
        }
    }
}

extension [SignaturePlan] {
    /// What they attach to every request.
    var attached: [AttachPlan] { filter { $0.skip == nil }.map(\.attach) }
}

extension AttachPlan.Field {
    /// An empty optional is no field.
    fileprivate var mayBeLeftOut: Bool { if case .optional = value.resultType { true } else { false } }
}

extension AttachPlan.Place {
    /// What is added to a body, and the keys of bodies that take it; `nil`: it goes elsewhere. Of what kind a `body` is only
    /// its `Content-Type` tells.
    fileprivate var bodies: (what: String, keys: [String])? {
        switch self {
        case .form: ("form fields", ["form", "multipart", "body"])
        case .json: ("JSON members", ["json", "body"])
        case .xml: ("XML elements", ["xml", "body"])
        // Replaces any.
        case .body: ("a body", ["body", "form", "json", "xml", "multipart"])
        case .header, .query, .cookie: nil
        }
    }
}

extension RawLoginRequest {
    /// Key of the body that the recipe writes.
    fileprivate var ownBody: String? {
        if form != nil { return "form" }
        if json != nil { return "json" }
        if xml != nil { return "xml" }
        if multipart != nil { return "multipart" }
        return body == nil ? nil : "body"
    }
}
