import Domain
import Expressions

extension PlanBuilder {
    /// The recipe as it is used with this session. A reference to an unknown recipe is an issue.
    func signature(_ reference: Placed<String>, session: Int?) -> SignaturePlan? {
        guard let index = resolve(reference, among: raw.signatures, what: "signature") else { return nil }
        return signature(index, session: session)
    }

    private func signature(_ index: Int, session: Int?) -> SignaturePlan? {
        let key = SignatureKey(signature: index, session: session)
        if let known = signaturePlans[key] { return known }
        // The second use would repeat the issues of the first.
        guard !failedSignatures.contains(index) else { return nil }
        let before = issues.errorCount
        let plan = compile(raw.signatures[index], captures: session.map { captureNames($0) } ?? [])
        if issues.errorCount > before { failedSignatures.insert(index) }
        signaturePlans[key] = plan
        return plan
    }

    private func compile(_ named: Named<RawSignature>, captures: [String]) -> SignaturePlan {
        var names: [String] = []
        var (variables, followed): ([SignaturePlan.Variable], [Expression]) = ([], [])
        var known: [Constant?] = []
        for variable in named.value.variables {
            let scope = scopes.request(captures: captures, variables: names, partial: [.session]).knowing(
                variables: known)
            var constant: Constant?
            if let value = compiler.expression(variable.value, in: scope, noting: { constant = $0 }) {
                variables.append(SignaturePlan.Variable(name: variable.name, value: value))
                if named.value.echo != nil, let copy = compiler.expression(variable.value, in: scope.following) {
                    followed.append(copy)
                }
            }
            names.append(variable.name)
            known.append(constant)
        }
        let scope = scopes.request(captures: captures, variables: names, partial: [.session]).knowing(variables: known)
        let attach = attach(named.value.attach, in: scope)
        let skip = named.value.skip.flatMap {
            compiler.expression($0, in: scopes.request(captures: captures, partial: [.session]), wantsBool: true)
        }
        let builtIns = builtIns(named, in: scope)
        if named.value.attach.isEmpty, builtIns.isEmpty, !named.value.hasBuiltIn {
            named.reportName("attaches nothing", hint: "say where the signature goes")
        }
        let answer = scopes.response(captures: captures, partial: [.session])
        let clockRefused = named.value.clockRefused.flatMap { compiler.expression($0, in: answer) }
        let echo = named.value.echo.flatMap { compiler.expression($0, in: answer) }
        let readsBody =
            [.form, .json, .xml, .body].contains { attach.touches($0) }
            || variables.contains { BodyUse.ofRequest($0.value.references) }
            || attach.fields.contains { BodyUse.ofRequest($0.value.references) }
            || (skip.map { BodyUse.ofRequest($0.references) } ?? false)
        return SignaturePlan(
            name: named.name, variables: variables, attach: attach, skip: skip, readsBody: readsBody,
            builtIns: builtIns, clockRefused: clockRefused, echo: echo, followed: followed)
    }

    /// A recipe that nothing uses is compiled too, with the captures of all sessions, so that its slips show.
    func checkUnusedSignatures() {
        for (index, named) in raw.signatures.enumerated() {
            guard !signaturePlans.keys.contains(where: { $0.signature == index }), !failedSignatures.contains(index)
            else { continue }
            var captures: [String] = []
            for session in raw.sessions.indices {
                for name in captureNames(session) where !captures.contains(name) { captures.append(name) }
            }
            _ = compile(named, captures: captures)
            named.reportName("is used by no route and no login", severity: .warning)
        }
    }
}
