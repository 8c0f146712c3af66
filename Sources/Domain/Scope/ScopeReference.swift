import Expressions

/// The manual's table of the names that each kind of expression knows, from the sets that the checker itself goes by.
package enum ScopeReference {
    private static let places: [(title: String, slots: Set<ScopeSlot>)] = [
        ("request", Scopes.overRequest), ("transform", Scopes.overRequest.union([.value])),
        ("answer", Scopes.overAnswer),
        ("message", Scopes.overMessage),
    ]

    package static var markdown: String {
        var text = "# Names\n\n\(head)\n"
        text +=
            "| name | is |" + places.map { " \($0.title) |" }.joined() + "\n|---|---|"
            + places.map { _ in "---|" }.joined()
        text += "\n"
        for slot in ScopeSlot.allCases {
            let (name, type) = declaration(slot)
            let known = places.map { place in
                if place.slots.contains(slot) { return " yes |" }
                return slot == .vars && place.slots == Scopes.overAnswer ? " some |" : " |"
            }
            text += "| `\(name)` | \(meaning(slot, type)) |\(known.joined())\n"
        }
        return text
    }

    private static let head = """
        Over a *request*: `rewrite`, `attach`, the `variables` and parameters of a signature, `skip`, the requests of a
        login; a `transform` knows `value` besides. Over an *answer*: `success`, `refused`, `capture`, `poll`, `expired`,
        `taken`, `update`, `clock_refused`, `echo`, and what an envelope reads. Over a *message*: `render`, `to`, and `status`
        of a route's envelope.

        `vars` are those above in the same signature or login step (`skip` comes before them). Over an answer a login step
        knows its own, and an envelope those of the signature of the route; no other test has any.

        """

    private static func declaration(_ slot: ScopeSlot) -> (name: String, type: StaticType) {
        func object(_ name: String) -> ObjectType { ObjectType(name: name, members: []) }
        return Scopes.declaration(
            slot, session: object("session"), secrets: object("secret"), vars: object("vars"))
    }

    private static func meaning(_ slot: ScopeSlot, _ type: StaticType) -> String {
        var text = word(slot)
        if case .object(let object) = type, !object.members.isEmpty {
            text += ": " + object.members.map { "`\($0.name)`" }.joined(separator: " ")
        }
        return text
    }

    private static func word(_ slot: ScopeSlot) -> String {
        switch slot {
        case .request: "the request in its present state; of a message the client's own"
        case .response: "the answer"
        case .status: "status of the answer, or of the message"
        case .headers: "fields of the answer"
        case .json: "body of the answer as JSON"
        case .text: "body of the answer as text"
        case .xml: "body of the answer as XML, as `xml.decode` gives it"
        case .session: "captures of the session; in a login those made so far"
        case .secret: "secrets by name"
        case .vars: "variables by name"
        case .now: "time, as the upstream's clock has it where it is learnt"
        case .device: "a text like a UUID that stays the same on this machine"
        case .nonce: "a random text, one for each attempt"
        case .ok: "the upstream did what was asked"
        case .code: "the upstream's own code, an optional"
        case .message: "text for people"
        case .data: "payload"
        case .kind: "kind of the gateway's own error, or null"
        case .detail: "what to do about such an error, or null"
        case .retryAfter: "seconds, an optional"
        case .value: "the field that is transformed"
        case .cookies: "the session's jar"
        }
    }
}
