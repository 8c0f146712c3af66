import CLoopShims

/// Opens outgoing stream sockets to literal addresses.
package enum StreamConnector {
    /// A non-blocking descriptor whose connect is done or under way; the caller owns it.
    package static func connect(to address: ListenAddress) throws(LoopError) -> Int32 {
        switch address {
        case .unix(let path):
            return try finish(Int32(gw_family_unix), address) { unsafe gw_connect_unix($0, path) }
        case .tcp(let host, let port):
            guard let ip = IPAddress(parsing: host) else {
                throw LoopError("connect to \(host), which is no address", code: Int32(gw_afnosupport))
            }
            let family = ip.count == 4 ? gw_family_v4 : gw_family_v6
            let bytes = ip.array
            return try finish(Int32(family), address) {
                unsafe gw_connect_ip($0, bytes, Int32(ip.count), port)
            }
        }
    }

    /// Asks the peer of an idle connection for a sign of life, so that one which vanished without a word (another route,
    /// a router that forgot, a host that lost its power) is noticed within 30 s. The system's default is two hours.
    package static func keepAlive(_ descriptor: Int32) { gw_keep_alive(descriptor, 15, 5, 3) }

    /// How a connect that was under way went, once the descriptor is writable: 0 or its errno.
    package static func outcome(of descriptor: Int32) -> Int32 { gw_socket_error(descriptor) }

    private static func finish(
        _ family: Int32, _ address: ListenAddress, _ connect: (Int32) -> Int32
    ) throws(LoopError) -> Int32 {
        let descriptor = gw_socket(family)
        guard descriptor >= 0 else { throw LoopError("open a socket", code: -descriptor) }
        if family != Int32(gw_family_unix) {
            _ = gw_no_delay(descriptor)
            keepAlive(descriptor)
        }
        let result = connect(descriptor)
        if result < 0, result != -Int32(gw_inprogress) {
            _ = gw_close(descriptor)
            throw LoopError("connect to \(address)", code: -result)
        }
        return descriptor
    }
}
