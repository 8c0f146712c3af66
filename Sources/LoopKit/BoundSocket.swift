import CLoopShims

/// Opens listening sockets.
struct BoundSocket {
    let descriptor: Int32
    let address: ListenAddress
    let file: UnixSocketFile?

    static func open(_ address: ListenAddress, backlog: Int32) throws(LoopError) -> BoundSocket {
        switch address {
        case .unix(let path): try openUnix(path, backlog: backlog)
        case .tcp(let host, let port): try openTCP(host, port, backlog: backlog)
        }
    }

    private static func openUnix(_ path: String, backlog: Int32) throws(LoopError) -> BoundSocket {
        try UnixSocketFile.clear(path)
        let descriptor = try socket(Int32(gw_family_unix))
        try check(unsafe gw_bind_unix(descriptor, path), "bind unix:\(path)", closing: descriptor)
        let file = UnixSocketFile(boundAt: path)
        try check(gw_listen(descriptor, backlog), "listen on unix:\(path)", closing: descriptor)
        return BoundSocket(descriptor: descriptor, address: .unix(path: path), file: file)
    }

    private static func openTCP(_ host: String, _ port: UInt16, backlog: Int32) throws(LoopError) -> BoundSocket {
        guard let ip = IPAddress(parsing: host) else {
            throw LoopError("bind \(host), which is no address", code: Int32(gw_afnosupport))
        }
        let family = ip.count == 4 ? gw_family_v4 : gw_family_v6
        let name = ListenAddress.tcp(host: host, port: port).description
        let descriptor = try socket(Int32(family))
        try check(gw_reuse_address(descriptor), "set up \(name)", closing: descriptor)
        if ip.count == 16 { try check(gw_v6_only(descriptor), "set up \(name)", closing: descriptor) }
        let bytes = ip.array
        try check(unsafe gw_bind_ip(descriptor, bytes, Int32(ip.count), port), "bind \(name)", closing: descriptor)
        try check(gw_listen(descriptor, backlog), "listen on \(name)", closing: descriptor)
        let bound = ListenAddress.tcp(host: host, port: gw_local_port(descriptor))
        return BoundSocket(descriptor: descriptor, address: bound, file: nil)
    }

    private static func socket(_ family: Int32) throws(LoopError) -> Int32 {
        let descriptor = gw_socket(family)
        if descriptor < 0 { throw LoopError("open a socket", code: -descriptor) }
        return descriptor
    }

    private static func check(_ result: Int32, _ action: String, closing descriptor: Int32) throws(LoopError) {
        guard result < 0 else { return }
        _ = gw_close(descriptor)
        throw LoopError(action, code: -result)
    }
}
