import Bytes
package import HTTPWire

extension RoutePlan {
    /// The client's request, ready to be edited: hop-by-hop fields are gone.
    /// - Parameters:
    ///   - authority: of the upstream, what `request.host` is.
    ///   - remote: the client's address.
    package func draft(
        of head: RequestHead, content: RequestDraft.Content, authority: [UInt8], remote: [UInt8]
    ) -> RequestDraft {
        var fields = keepsUnderscores ? head.fieldsKeepingUnderscores { _ in true } : head.fields
        HopByHop.strip(request: &fields)
        return RequestDraft(
            method: head.method.bytes, path: Array(head.path), query: head.query.map { Array($0) },
            fields: fields, content: content, host: authority, remote: remote, pattern: pattern)
    }
}
