import Bytes
import Domain
import HTTPWire

/// The fields of an upstream's answer, as the client gets them.
extension Exchange {
    /// The upstream's fields, without those that end here, would open the gateway's origin, or carry a credential.
    func forwarded(_ fields: PairBlock) -> PairBlock {
        var fields = fields
        HopByHop.strip(response: &fields)
        renameRequestID(&fields)
        rewriteAddresses(&fields)
        if route?.session != nil {
            // Also what the session attaches, should the upstream echo it.
            let attached = route?.assembler.owned.headers ?? []
            fields.removeAll { block, index in
                let name = block.name(at: index)
                return SensitiveFields.isAnswerCredential(name.span)
                    || OwnedFields.contains(attached, name.span, folding: true) || isAbsorbed(block.value(at: index))
            }
            if !absorbed.isEmpty { AttachedCredentials(absorbed).strip(from: &fields) }
        }
        if let scope { route?.answerGuard?.strip(credential, from: &fields, scope) }
        return fields
    }

    /// The same, for a body made anew.
    func forwardedWithoutBody(_ fields: PairBlock) -> PairBlock {
        var fields = forwarded(fields)
        fields.removeAll { block, index in MessageRenderer.isReplaced(block.name(at: index).span) }
        return fields
    }

    /// The field holds what went into the credential (`update`). Short values stand in other fields by chance.
    private func isAbsorbed(_ value: ArraySlice<UInt8>) -> Bool {
        absorbed.contains { token in token.count >= 8 && value.contains(token) }
    }

    /// A client that follows a redirect, or a link to the next page, must not leave the gateway, where that can be helped.
    private func rewriteAddresses(_ fields: inout PairBlock) {
        guard let route, route.plan.rewritesLocation else { return }
        for index in 0..<fields.count {
            let name = fields.name(at: index)
            guard let field = AddressField(name.span),
                let value = field.replacing(in: fields.value(at: index), { ownAddress($0, route) })
            else { continue }
            fields.replaceValue(at: index, with: value)
        }
    }

    /// The same place at the gateway: the address is the upstream's own, and a route leads there.
    private func ownAddress(_ address: ArraySlice<UInt8>, _ route: RouteRuntime) -> [UInt8]? {
        guard let head, let scope,
            let own = OwnLocation(
                address, at: route.upstream.plan, request: head.path, sent: scope.request.path,
                isRewritten: route.plan.rewrite != nil),
            !LocalEndpoints.owns(own.path[...]), let target = runtime.route(host: head.host, path: own.path),
            own.isThroughRewrite ? target === route : target.upstream === route.upstream && target.plan.rewrite == nil
        else { return nil }
        return own.value
    }

    /// Words behind the status that hold a credential are none: neither the client nor a message that is made of the answer
    /// hears them.
    func withoutTellingWords(_ head: UpstreamHead) -> UpstreamHead {
        guard let reason = head.reason, let scope,
            route?.answerGuard?.finds(credential, in: reason.span, scope) == true
        else { return head }
        var head = head
        head.reason = nil
        return head
    }

    /// For a status that goes to the client unchanged; `nil`: the usual words.
    func forwardedReason(_ head: UpstreamHead) -> [UInt8]? {
        guard let reason = head.reason, !reason.isEmpty, !isAbsorbed(reason[...]) else { return nil }
        return reason
    }

    /// Two fields of the same name would leave the client to guess which one our logs know; the upstream's own is what its
    /// support asks for.
    private func renameRequestID(_ fields: inout PairBlock) {
        guard let id = fields.first(FieldName.requestID, folding: true) else { return }
        let value = Array(id)
        remove(FieldName.requestID, from: &fields)
        fields.append(name: FieldName.upstreamRequestID, value: value)
    }

    private func remove(_ field: StaticString, from fields: inout PairBlock) {
        fields.removeAll { block, index in
            let name = block.name(at: index)
            return field.withSpan { ASCII.equalFolded(name.span, $0) }
        }
    }
}
