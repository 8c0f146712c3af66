import Glibc
import LoopKit
import Testing

/// What happens when the process is out of descriptors. Changes the limit of the whole process.
enum DescriptorShortage {
    static func pauses() throws {
        let loop = try EventLoop()
        var accepted: [Int32] = []
        var options = ListenerOptions()
        options.pause = 200 * millisecond
        let listener = try ListenerSocket(
            loop: loop, address: .tcp(host: "127.0.0.1", port: 0), options: options
        ) { descriptor, _ in
            accepted.append(descriptor)
            loop.stop()
        }
        let warmUp = loop.timer { loop.stop() }
        warmUp.arm(after: millisecond)
        run(loop)
        let client = try StreamConnector.connect(to: listener.boundAddress)
        let limit = HostProcess.descriptorLimit.soft
        defer { HostProcess.setDescriptorLimit(limit) }
        // The next descriptor is above the limit.
        let probe = unsafe open("/dev/null", O_RDONLY)
        close(probe)
        HostProcess.setDescriptorLimit(UInt64(probe))
        var ticks = 0
        let end = loop.timer { loop.stop() }
        end.arm(after: 150 * millisecond)
        while listener.acceptPauses == 0 || end.isArmed {
            loop.runOnce()
            ticks += 1
            if ticks > 1000 { break }
        }
        #expect(listener.acceptPauses == 1)
        #expect(accepted.isEmpty)
        #expect(ticks < 20)
        HostProcess.setDescriptorLimit(limit)
        listener.resumeAccepting()
        run(loop)
        #expect(accepted.count == 1)
        accepted.forEach { close($0) }
        close(client)
    }

    static func sheds() throws {
        let loop = try EventLoop()
        var options = ListenerOptions()
        options.pause = 5 * millisecond
        let listener = try ListenerSocket(
            loop: loop, address: .tcp(host: "127.0.0.1", port: 0), options: options
        ) { descriptor, _ in close(descriptor) }
        let client = SocketProbe(loop, try StreamConnector.connect(to: listener.boundAddress))
        let guardTimer = loop.timer { loop.stop() }
        guardTimer.arm(after: 5000 * millisecond)
        let limit = HostProcess.descriptorLimit.soft
        let probe = unsafe open("/dev/null", O_RDONLY)
        close(probe)
        HostProcess.setDescriptorLimit(UInt64(probe))
        client.onReadable = { probe in
            #expect(probe.readAll() == .failed(ECONNRESET))
            probe.socket.close()
            loop.stop()
        }
        loop.run()
        HostProcess.setDescriptorLimit(limit)
        #expect(guardTimer.isArmed)
        #expect(listener.shedConnections == 1)
        // The pause must end with the shortage.
        let late = SocketProbe(loop, try StreamConnector.connect(to: listener.boundAddress))
        late.onReadable = { probe in
            #expect(probe.readAll() == .ended)
            loop.stop()
        }
        run(loop)
    }
}
