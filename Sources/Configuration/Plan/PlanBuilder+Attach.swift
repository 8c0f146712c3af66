import Domain
import Expressions

extension PlanBuilder {
    /// Fields that follow from the message's framing and the connection; setting them would break it (RFC 9110 7.6.1,
    /// RFC 9112 6).
    private static let ownFields: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "expect",
        "proxy-connection",
    ]

    /// - Parameter eitherBody: form and JSON fields may stand side by side, each for bodies of its kind.
    func attach(_ raw: RawAttach, in scope: Scope, eitherBody: Bool = false) -> AttachPlan {
        let places: [(AttachPlan.Place, [Named<Cursor>], String)] = [
            (.header, raw.header, "header"), (.query, raw.query, "query"), (.form, raw.form, "form"),
            (.json, raw.json, "json"), (.xml, raw.xml, "xml"), (.cookie, raw.cookie, "cookie"),
        ]
        checkHeaders(raw.header)
        let bodies = [raw.form, raw.json, raw.xml].filter { !$0.isEmpty }
        if !eitherBody, bodies.count + (raw.body == nil ? 0 : 1) > 1 {
            bodies.first?.first?.reportName("a body is one of form, json, xml and body")
        }
        var fields: [AttachPlan.Field] = []
        for (place, named, _) in places {
            let isLine = place == .header || place == .cookie
            for field in named {
                let value = isLine ? compiler.line(field.value, in: scope) : compiler.template(field.value, in: scope)
                guard let value else { continue }
                if place == .json, JSONPlace(Array(field.name.utf8)) == nil {
                    field.reportName("not a JSON pointer", hint: "like /head/token")
                }
                LiteralCredential.check(field, value)
                fields.append(AttachPlan.Field(place: place, name: Array(field.name.utf8), value: value))
            }
        }
        if let body = raw.body, let value = compiler.template(body, in: scope) {
            fields.append(AttachPlan.Field(place: .body, name: [], value: value))
        }
        return AttachPlan(fields: fields)
    }

    /// Names that may not be set, and names that differ only in case.
    func checkHeaders(_ headers: [Named<Cursor>]) {
        var seen: Set<String> = []
        for header in headers {
            let name = header.name.lowercased()
            if PlanBuilder.ownFields.contains(name) {
                header.reportName(
                    "\(Quoted.plain(header.name)) is set by the gateway itself",
                    hint: name == "host" ? "it is the host of the upstream's `url`" : nil)
            }
            if !seen.insert(name).inserted { header.reportName("the same field twice (case does not matter)") }
        }
    }
}
