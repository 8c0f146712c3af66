import Bytes

/// The allow-list of names this gateway answers to: the defence against DNS rebinding, checked before anything else.
package struct HostRule: Sendable {
    private struct Name: Sendable {
        let host: [UInt8]
        let port: UInt16?
    }
    private let names: [Name]

    /// Each entry is `name`, `name:port`, `[v6]` or `[v6]:port`; without a port every port is allowed, since a page of
    /// another origin cannot choose the name. `nil` when an entry is no authority.
    package init?(allowing entries: [[UInt8]]) {
        var names: [Name] = []
        for entry in entries {
            guard let authority = Authority(entry.span) else { return nil }
            names.append(Name(host: Array(entry[authority.host]), port: authority.port))
        }
        self.names = names
    }

    /// Whether an authority is in the list: host compared without case, a missing port means 80.
    package func allows(_ bytes: Span<UInt8>) -> Bool {
        guard let authority = Authority(bytes) else { return false }
        let host = bytes.extracting(authority.host)
        for name in names where ASCII.equalFolded(host, name.host.span) {
            if name.port == nil || name.port == authority.port ?? 80 { return true }
        }
        return false
    }

    /// `nil` when the request may go on. Both the `Host` field and the authority of an absolute-form target must be in
    /// the list; HTTP/1.0 without `Host` passes, since no browser sends it.
    package func check(_ head: RequestHead) -> WireRefusal? {
        if let host = head.host, !allows(host.span) { return refusal(head) }
        if let authority = head.authority, !allows(authority.span) { return refusal(head) }
        return nil
    }

    /// A well-framed request without a body leaves nothing unread, so that the connection may stay.
    private func refusal(_ head: RequestHead) -> WireRefusal {
        WireRefusal(.foreignHost, close: head.framing != .none || !head.keepAlive)
    }
}
