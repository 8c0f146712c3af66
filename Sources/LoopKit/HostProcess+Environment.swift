import Glibc

extension HostProcess {
    /// The environment as it was at the call. Names without `=` and bytes that are no UTF-8 are repaired as Swift does.
    package static var environment: [String: String] {
        var result: [String: String] = [:]
        var entry = unsafe environ
        while let pointer = unsafe entry.pointee {
            let text = unsafe String(cString: pointer)
            if let equals = text.firstIndex(of: "=") {
                result[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return result
    }

    /// Removes variables that libraries obey behind the config's back, before any of them looks: libcurl and OpenSSL write the
    /// keys of every TLS connection to the file of SSLKEYLOGFILE, and may trust the authorities of the others. LD_* and the
    /// like are not ours: who sets those runs his own code here.
    /// - Returns: Those that somebody should hear of. The authorities are set in most containers and mean curl's own command.
    package static func dropForeignVariables() -> [String] {
        let isLogged = unsafe getenv("SSLKEYLOGFILE") != nil
        for name in ["SSLKEYLOGFILE", "SSL_CERT_FILE", "SSL_CERT_DIR"] { _ = unsafe unsetenv(name) }
        return isLogged ? ["SSLKEYLOGFILE"] : []
    }

    /// The id that systemd gave this installation; nil where there is none.
    package static var machineID: [UInt8]? {
        let descriptor = unsafe open("/etc/machine-id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? Array(bytes.prefix(count).prefix { $0 > 0x20 }) : nil
    }

    /// Started without descriptors 0 to 2, the next ones opened would take their places, and log lines would go into them.
    package static func holdStandardDescriptors() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Ends the process; what was written is out already (no buffers are kept).
    package static func exit(_ code: Int32) -> Never { Glibc.exit(code) }
}
