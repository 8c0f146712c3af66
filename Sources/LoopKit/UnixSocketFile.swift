import CLoopShims

/// The file of a listening unix socket, remembered by device and inode so that only our own is ever removed.
struct UnixSocketFile {
    private let path: String
    private let identity: gw_file

    /// Remembers the file that a `bind` just made.
    init(boundAt path: String) {
        self.path = path
        var found = gw_file()
        _ = unsafe gw_look(path, &found)
        identity = found
    }

    func remove() {
        var found = gw_file()
        guard unsafe gw_look(path, &found) == 0, found.is_socket != 0, found.inode == identity.inode,
            found.device == identity.device
        else { return }
        _ = unsafe gw_unlink(path)
    }

    /// Makes way for a `bind`: removes a socket that nobody accepts on. Refuses any other kind of file (the path may be
    /// a typo for something dear) and a socket that is in use.
    static func clear(_ path: String) throws(LoopError) {
        var found = gw_file()
        let look = unsafe gw_look(path, &found)
        if look == -Int32(gw_noent) { return }
        guard look == 0 else { throw LoopError("look at unix:\(path)", code: -look) }
        guard found.is_socket != 0 else {
            throw LoopError("bind unix:\(path), which exists and is no socket", code: Int32(gw_notsock))
        }
        let probe = gw_socket(Int32(gw_family_unix))
        guard probe >= 0 else { throw LoopError("open a socket", code: -probe) }
        let answer = unsafe gw_connect_unix(probe, path)
        _ = gw_close(probe)
        guard answer == -Int32(gw_connrefused) else {
            throw LoopError("bind unix:\(path)", code: Int32(gw_addrinuse))
        }
        _ = unsafe gw_unlink(path)
    }
}
