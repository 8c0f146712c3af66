import CLoopShims

/// The process behind a unix socket when it connected (SO_PEERCRED).
package struct PeerCredentials: Equatable, Sendable {
    package let process: Int32
    package let user: UInt32
    package let group: UInt32

    /// `nil` when the descriptor is no unix socket (the kernel answers user -1 for TCP).
    init?(of descriptor: Int32) {
        var raw = gw_credentials()
        guard descriptor >= 0, unsafe gw_peer_credentials(descriptor, &raw) == 0, raw.uid != .max else { return nil }
        process = raw.pid
        user = raw.uid
        group = raw.gid
    }
}
