import Glibc
import LoopKit
import Testing

/// Reads the heap of the whole process: nothing else may run in it.
enum IdleMemory {
    static func measure() throws {
        let loop = try EventLoop()
        var sockets: [ByteSocket] = []
        func open(_ count: Int) {
            for _ in 0..<count {
                var ends: [Int32] = [0, 0]
                guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
                for end in ends { sockets.append(ByteSocket(loop: loop, owning: end)) }
            }
            for socket in sockets { socket.watchReads(true) }
        }
        open(10)
        let before = HostProcess.heapInUse
        open(100)
        let after = HostProcess.heapInUse
        #expect(sockets.count == 220)
        // 200 sockets: object, event, table slots. A buffer per socket would be 4096 at least.
        #expect(after < before + 200 * 1024)
    }
}
