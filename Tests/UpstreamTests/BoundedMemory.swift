import Domain
import LoopKit
import Testing

/// Reads the heap of the whole process: nothing else may run in it.
enum BoundedMemory {
    static func whilePaused(_ kind: TransportKind) throws {
        let bench = try Bench(kind)
        let total = 30_000_000
        bench.upstream.script = { _ in
            [
                .send([UInt8]("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")),
                .send([UInt8](repeating: 1, count: total)),
            ]
        }
        let exchange = Exchange()
        exchange.keepsBody = false
        exchange.onPiece = { _ in .pause }
        _ = bench.start(bench.request(), exchange)
        bench.wait("the first piece") { exchange.bodyCount > 0 }
        let heap = HostProcess.heapInUse
        bench.pass(milliseconds: 50)
        let atPause = exchange.bodyCount
        #expect(atPause < 200_000)
        #expect(HostProcess.heapInUse < heap + 500_000)
        exchange.transfer?.resume()
        exchange.transfer?.resume()
        bench.pass(milliseconds: 10)
        #expect(exchange.bodyCount > atPause)
        #expect(exchange.bodyCount < 2_000_000)
        exchange.onPiece = { _ in .proceed }
        exchange.transfer?.resume()
        bench.wait(for: [exchange])
        #expect(exchange.isCompleted)
        #expect(exchange.bodyCount == total)
    }

    static func inStorms(_ kind: TransportKind) throws {
        for answer in AnswerCase.all where answer.parts.contains(where: { $0.times > 1000 }) {
            let bench = try Bench(kind)
            let parts = answer.parts.map { part in
                let bytes = [UInt8](part.text)
                return [UInt8]((0..<part.times).flatMap { _ in bytes })
            }
            bench.upstream.script = { _ in parts.map { .send($0) } + [.end] }
            _ = bench.get("/warm")
            let heap = HostProcess.heapInUse
            _ = bench.get()
            // The script's own queue holds one copy of the storm.
            let own = UInt64(parts.reduce(0) { $0 + $1.count }) * 2
            #expect(HostProcess.heapInUse < heap + own + 1_000_000)
        }
    }
}
