import Glibc
import LoopKit
import Testing

extension LoopKitTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:80", "[::1]:80"), ("localhost:0", "127.0.0.1:0"),
        ("unix:/run/x.sock", "unix:/run/x.sock"), ("0.0.0.0:1", "0.0.0.0:1"),
    ])
    func `listen addresses are read`(text: String, expected: String) throws {
        #expect(try #require(ListenAddress(parsing: text)).description == expected)
    }

    @Test(arguments: [
        "", ":80", "8080", "::1:80", "[::1]", "[127.0.0.1]:80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1",
        "unix:",
        "host.example:80", "127.0.0.1:8 0", "[localhost]:80", "unix:/\(String(repeating: "x", count: 120))",
    ])
    func `other listen addresses are refused`(text: String) {
        #expect(ListenAddress(parsing: text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", true), ("unix:/run/x.sock", true),
        ("0.0.0.0:1", false),
        ("[::]:1", false), ("[::2]:1", false), ("[1::1]:1", false), ("192.168.1.1:1", false),
    ])
    func `loopback addresses are told apart`(text: String, isLoopback: Bool) throws {
        #expect(try #require(ListenAddress(parsing: text)).isLoopback == isLoopback)
    }

    @Test func `a listener without room pauses, and resets those that wait`() throws {
        let loop = try EventLoop()
        var accepted = 0
        let listener = try ListenerSocket(
            loop: loop, address: .tcp(host: "127.0.0.1", port: 0), hasRoom: { _ in accepted < 2 }
        ) { descriptor, _ in
            accepted += 1
            close(descriptor)
        }
        let clients = try (0..<5).map { _ in try StreamConnector.connect(to: listener.boundAddress) }
        while listener.shedConnections < 3 { loop.runOnce() }
        #expect(accepted == 2 && listener.acceptPauses >= 1)
        for client in clients { close(client) }
    }

    @Test func `accepted TCP connections come with the peer's address`() throws {
        let loop = try EventLoop()
        for host in ["127.0.0.1", "::1"] {
            var peers: [PeerAddress] = []
            let listener = try ListenerSocket(loop: loop, address: .tcp(host: host, port: 0)) { descriptor, peer in
                peers.append(peer)
                close(descriptor)
                loop.stop()
            }
            guard case .tcp(_, let port) = listener.boundAddress else { return }
            #expect(port != 0)
            let client = try StreamConnector.connect(to: listener.boundAddress)
            run(loop)
            close(client)
            #expect(peers.count == 1)
            #expect(peers.first?.isLoopback == true)
        }
    }

    @Test func `a unix socket is private, removed at close, and its directory entry respected`() throws {
        let loop = try EventLoop()
        let path = "/tmp/loopkit-\(getpid())-mode"
        unsafe unlink(path)
        let listener = try ListenerSocket(loop: loop, address: .unix(path: path)) { _, _ in }
        var info = stat()
        #expect(unsafe lstat(path, &info) == 0)
        #expect(info.st_mode & 0o777 == 0o600)
        // A second gateway must not steal the path of a living one.
        #expect(throws: LoopError.self) { try ListenerSocket(loop: loop, address: .unix(path: path)) { _, _ in } }
        listener.close()
        #expect(unsafe lstat(path, &info) != 0)
    }

    @Test func `a stale socket is replaced, and its late owner does not remove the successor's`() throws {
        let loop = try EventLoop()
        let path = "/tmp/loopkit-\(getpid())-stale"
        unsafe unlink(path)
        let first = try ListenerSocket(loop: loop, address: .unix(path: path)) { _, _ in }
        unsafe unlink(path)
        let second = try ListenerSocket(loop: loop, address: .unix(path: path)) { _, _ in }
        first.close()
        var info = stat()
        #expect(unsafe lstat(path, &info) == 0)
        second.close()
        // A file left by a killed process: bound, nobody listens.
        let dead = try #require(leaveStaleSocket(path))
        close(dead)
        let third = try ListenerSocket(loop: loop, address: .unix(path: path)) { _, _ in }
        third.close()
    }

    private func leaveStaleSocket(_ path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
        }
        return result == 0 ? descriptor : nil
    }

    @Test func `a path that is no socket is refused and left alone`() throws {
        let loop = try EventLoop()
        let path = "/tmp/loopkit-\(getpid())-file"
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
        close(descriptor)
        defer { unsafe unlink(path) }
        #expect(throws: LoopError.self) { try ListenerSocket(loop: loop, address: .unix(path: path)) { _, _ in } }
        #expect(unsafe access(path, F_OK) == 0)
    }

    @Test func `a port in use is an error that names it`() throws {
        let loop = try EventLoop()
        let listener = try ListenerSocket(loop: loop, address: .tcp(host: "127.0.0.1", port: 0)) { _, _ in }
        let error = #expect(throws: LoopError.self) {
            try ListenerSocket(loop: loop, address: listener.boundAddress) { _, _ in }
        }
        #expect(error?.code == EADDRINUSE)
        #expect(error?.description.contains(listener.boundAddress.description) == true)
    }
}
