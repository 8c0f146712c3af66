import CLoopShims

/// Turns a signal into a call on the loop. Owned by the loop.
final class SignalWatch {
    private let action: () -> Void
    private var event: LoopEvent?

    init(loop: EventLoop, number: Int32, action: @escaping () -> Void) throws(LoopError) {
        self.action = action
        event = unsafe LoopEvent(
            loop: loop, descriptor: number, what: Int32(gw_signal | gw_persistent), callback: onSignalRaised,
            context: unsafe Unmanaged.passUnretained(self).toOpaque())
        if event?.add() != true { throw LoopError("watch signal \(number)", code: 0) }
    }

    fileprivate func raised() { action() }
}

private func onSignalRaised(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<SignalWatch>.fromOpaque(context).takeUnretainedValue().raised()
}
