import Domain

extension PlanBuilder {
    func keepalive(_ named: Named<RawSession>, session: Int, captures: [String]) -> KeepalivePlan? {
        guard let placed = named.value.keepalive else { return nil }
        let raw = placed.value
        if named.value.digest != nil {
            placed.cursor.report("HTTP Digest has no session that could be kept alive", hint: "drop keepalive")
        }
        if raw.longest < raw.every {
            (placed.cursor.member("for") ?? placed.cursor).report("for is shorter than every: it would never be sent")
        }
        let signatures = raw.signatures.compactMap { signature($0, session: session) }
        guard let request = raw.request,
            var step = loginRequest(request, in: scopes.request(captures: captures))
        else { return nil }
        step.signatures = signatures
        let session = sessionAttaches[session].map { [$0] } ?? []
        checkBody(of: request, takes: session + signatures.attached, from: "session or signature")
        return KeepalivePlan(every: raw.every, longest: raw.longest, step: step)
    }
}
