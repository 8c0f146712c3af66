import Domain
import Expressions

extension PlanBuilder {
    /// Tests of sessions and signatures look at the answer before an envelope's structural steps and its `open`, unless the
    /// session names an envelope. One that could only hold behind them is told of, once.
    func checkViews(session: Int?, _ signatures: [SignaturePlan], _ envelope: EnvelopeRule) {
        if let session {
            guard raw.sessions[session].value.envelope == nil else { return }
            checkCharset(session, envelope.from)
        }
        var tests = session.flatMap { sessionTests[$0] } ?? []
        for signature in signatures {
            guard let raw = raw.signatures.first(where: { $0.name == signature.name })?.value else { continue }
            for (cursor, test) in [(raw.clockRefused, signature.clockRefused), (raw.echo, signature.echo)] {
                if let cursor, let test { tests.append(AnswerTest(cursor: cursor, test: test)) }
            }
        }
        for test in tests {
            let name = Quoted.plain(envelope.from.name)
            let other = session == nil ? nil : "envelope: \(name) in the session, to read all its answers so"
            guard !warned.contains(test.cursor.path) else { continue }
            if let step = test.blinding(among: envelope.from.unwrap) {
                test.cursor.report(
                    "`json` is the whole answer here, before \(step.text) of envelope \(name)",
                    hint: other.map { ExpressionIssue.hints(step.wayIn, "or \($0)") } ?? step.wayIn, severity: .warning)
            } else if let open = envelope.from.open, let other, test.readsBeyond(open) {
                test.cursor.report(
                    "looks at the answer before `open` of envelope \(name)", hint: other, severity: .warning)
            } else {
                continue
            }
            warned.insert(test.cursor.path)
        }
    }

    /// A label, or none, means the same to a login; a charset that the envelope alone knows does not.
    private func checkCharset(_ session: Int, _ envelope: EnvelopePlan) {
        let step = envelope.unwrap.first { $0.isCharset && $0 != .charset }
        let named = raw.sessions[session]
        guard let step, loginReaders.contains(session), warned.insert("login of \(named.name)").inserted
        else { return }
        let name = Quoted.plain(envelope.name)
        named.reportName(
            "the answers of its login are read without \(step.text) of envelope \(name)", hint: "envelope: \(name)",
            severity: .warning)
    }
}

/// A test over the answers of several routes.
struct AnswerTest {
    var cursor: Cursor
    var test: Expression

    /// It reads something of the answer that `open` does not: then it hardly opens the answer by itself.
    func readsBeyond(_ open: Expression) -> Bool {
        let opened = Set(open.references.filter(\.readsResponseBody).map(\.ofBody))
        return test.references.contains { reference in
            guard reference.readsResponseBody else { return false }
            let part = reference.ofBody
            return !opened.contains(part) && !opened.contains(Reference(part.name))
        }
    }

    /// The structural step behind which everything stands that the test reads of the JSON; `nil` when there is none, or when
    /// that cannot be told.
    func blinding(among steps: [UnwrapStep]) -> UnwrapStep? {
        let body = test.references.filter(\.readsResponseBody)
        let members = body.compactMap { $0.name == "json" ? $0.member : nil }
        guard !members.isEmpty, members.count == body.count else { return nil }
        let opened = Set(test.lookups.filter { $0.count > 2 && $0[0] == "json" }.map { $0[1] })
        for step in steps where step.isStructural {
            guard let isSeen = step.mayBeSeen(by: members, opened: opened) else { continue }
            return isSeen ? nil : step
        }
        return nil
    }
}

extension Reference {
    /// The same place under one name, whichever way it is written.
    fileprivate var ofBody: Reference {
        guard name == "response" || name == "text" else { return self }
        return Reference(member == "json" || member == "xml" ? member ?? name : "text")
    }
}

extension UnwrapStep {
    /// How a test gets at what is behind the step.
    fileprivate var wayIn: String {
        switch self {
        case .pointer(let path):
            "write json" + String(decoding: path, as: UTF8.self).split(separator: "/").map { "[\"\($0)\"]" }.joined()
        case .jsonString: "write json.decode(json)"
        default: "name the member: json.NAME"
        }
    }
}
