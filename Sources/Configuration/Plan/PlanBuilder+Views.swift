import Domain
import Expressions

extension PlanBuilder {
    /// Tests of sessions and signatures look at the answer before an envelope's structural steps. One that could only hold
    /// behind them is told of, once.
    func checkViews(session: Int?, _ signatures: [SignaturePlan], _ envelope: EnvelopeRule) {
        var tests = session.flatMap { sessionTests[$0] } ?? []
        for signature in signatures {
            guard let raw = raw.signatures.first(where: { $0.name == signature.name })?.value else { continue }
            for (cursor, test) in [(raw.clockRefused, signature.clockRefused), (raw.echo, signature.echo)] {
                if let cursor, let test { tests.append(AnswerTest(cursor: cursor, test: test)) }
            }
        }
        for test in tests {
            guard let step = test.blinding(among: envelope.from.unwrap), warned.insert(test.cursor.path).inserted else {
                continue
            }
            test.cursor.report(
                "`json` is the whole answer here, before \(step.text) of envelope \(Quoted.plain(envelope.from.name))",
                hint: step.wayIn, severity: .warning)
        }
    }
}

/// A test over the answers of several routes.
struct AnswerTest {
    var cursor: Cursor
    var test: Expression

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
