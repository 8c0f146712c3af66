import CLoopShims

/// A connected stream socket on the loop, owned: closed by `close()`, `reset()` or deinit. Holds no buffer at all; reads go
/// through the loop's scratch, writes straight from the caller's memory.
package final class ByteSocket {
    private unowned let loop: EventLoop
    /// -1 once closed.
    package private(set) var descriptor: Int32
    /// Must outlive the open socket (it owns it, everywhere). Not `weak`: the first weak reference gives an object a side
    /// table, and every retain and release of it afterwards is a slow one (measured: 2.4 of 30 us per proxied request).
    package unowned var delegate: (any ByteSocketDelegate)?
    private var readEvent: LoopEvent?
    private var writeEvent: LoopEvent?
    private var watchesReads = false
    private var watchesWrites = false

    /// Takes ownership of a connected, non-blocking descriptor. Watches nothing until told.
    package init(loop: EventLoop, owning descriptor: Int32) {
        self.loop = loop
        self.descriptor = descriptor
    }

    deinit { close() }

    package var isOpen: Bool { descriptor >= 0 }

    /// Persistent: one `epoll_ctl` for the life of the connection unless it is switched off for back pressure.
    package func watchReads(_ wanted: Bool) {
        guard wanted != watchesReads, isOpen else { return }
        watchesReads = wanted
        if wanted {
            if readEvent == nil { readEvent = unsafe event(Int32(gw_readable), onSocketReadable) }
            readEvent?.add()
        } else {
            readEvent?.remove()
        }
    }

    package func watchWrites(_ wanted: Bool) {
        guard wanted != watchesWrites, isOpen else { return }
        watchesWrites = wanted
        if wanted {
            if writeEvent == nil { writeEvent = unsafe event(Int32(gw_writable), onSocketWritable) }
            writeEvent?.add()
        } else {
            writeEvent?.remove()
        }
    }

    /// One `recv`; the consumer sees the bytes for the length of the call. At most 64 KiB, or `limit`.
    package func read(limit: Int = ReadScratch.size, _ consume: (Span<UInt8>) -> Void) -> ReadOutcome {
        guard isOpen else { return .failed(Int32(gw_badf)) }
        return unsafe loop.scratch.lend { buffer in
            guard let start = buffer.baseAddress else { return .blocked }
            let count = unsafe gw_recv(descriptor, start, min(max(limit, 1), buffer.count))
            guard count > 0 else { return Self.readOutcome(of: count) }
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
            consume(unsafe bytes.span)
            return .read(count)
        }
    }

    /// One `recv`, appended.
    package func read(into buffer: inout [UInt8], limit: Int = ReadScratch.size) -> ReadOutcome {
        var copy: [UInt8] = []
        swap(&copy, &buffer)
        defer { swap(&copy, &buffer) }
        return read(limit: limit) { span in
            unsafe span.withUnsafeBufferPointer { unsafe copy.append(contentsOf: $0) }
        }
    }

    package func write(_ bytes: Span<UInt8>) -> WriteOutcome {
        guard isOpen else { return .failed(Int32(gw_badf)) }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress, buffer.count > 0 else { return .wrote(0) }
            return unsafe Self.writeOutcome(of: gw_send(descriptor, start, buffer.count))
        }
    }

    /// Head and body in one system call. The count is over both.
    package func write(_ first: Span<UInt8>, _ second: Span<UInt8>) -> WriteOutcome {
        if second.isEmpty { return write(first) }
        if first.isEmpty { return write(second) }
        guard isOpen else { return .failed(Int32(gw_badf)) }
        return unsafe first.withUnsafeBufferPointer { one in
            unsafe second.withUnsafeBufferPointer { two in
                guard let a = one.baseAddress, let b = two.baseAddress else { return .wrote(0) }
                return unsafe Self.writeOutcome(of: gw_send_two(descriptor, a, one.count, b, two.count))
            }
        }
    }

    /// True when a byte, an end or an error waits to be read.
    package var hasPendingInput: Bool { isOpen && gw_peek(descriptor) != -Int(gw_again) }

    /// Half-close: the peer reads an end, we may still read.
    package func shutdownWrites() { if isOpen { _ = gw_shutdown_writes(descriptor) } }

    /// Ends it in order. Harmless when already closed; legal inside a delegate call.
    package func close() {
        guard isOpen else { return }
        // Events first: epoll must not hold a descriptor number that the next accept may get.
        readEvent = nil
        writeEvent = nil
        (watchesReads, watchesWrites) = (false, false)
        _ = gw_close(descriptor)
        descriptor = -1
    }

    /// Ends it with RST: the peer sees a broken, not a complete, stream.
    package func reset() {
        if isOpen { _ = gw_reset_on_close(descriptor) }
        close()
    }

    private func event(_ what: Int32, _ callback: @escaping gw_event_callback) -> LoopEvent {
        unsafe LoopEvent(
            loop: loop, descriptor: descriptor, what: what | Int32(gw_persistent), callback: callback,
            context: unsafe Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func readable() { delegate?.socketReadable() }
    fileprivate func writable() { delegate?.socketWritable() }

    private static func isTemporary(_ result: Int) -> Bool {
        result == -Int(gw_again) || result == -Int(gw_interrupted)
    }

    private static func readOutcome(of result: Int) -> ReadOutcome {
        if result == 0 { return .ended }
        return isTemporary(result) ? .blocked : .failed(Int32(truncatingIfNeeded: -result))
    }

    private static func writeOutcome(of result: Int) -> WriteOutcome {
        if result >= 0 { return .wrote(result) }
        return isTemporary(result) ? .blocked : .failed(Int32(truncatingIfNeeded: -result))
    }
}

// The strong local reference keeps the socket alive while its delegate drops it.
private func onSocketReadable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<ByteSocket>.fromOpaque(context).takeUnretainedValue().readable()
}

private func onSocketWritable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<ByteSocket>.fromOpaque(context).takeUnretainedValue().writable()
}
