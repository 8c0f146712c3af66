import CLoopShims
import Synchronization

/// The only way onto a loop from another thread: values are queued under a lock and an eventfd wakes the loop, once per
/// change from empty to not empty.
package final class Mailbox<Message: Sendable> {
    /// The end that other threads hold. Posts after the mailbox is gone are dropped.
    package final class Sender: Sendable {
        private struct Box {
            var messages: [Message] = []
            var isOpen = true
        }
        private let box = Mutex(Box())
        private let descriptor: Int32

        fileprivate init(descriptor: Int32) { self.descriptor = descriptor }
        // Closed here and not by the mailbox: a post may be between its queueing and its wake-up.
        deinit { _ = gw_close(descriptor) }

        /// From any thread; in order per thread.
        package func post(_ message: Message) {
            let mustWake = box.withLock { box in
                guard box.isOpen else { return false }
                box.messages.append(message)
                return box.messages.count == 1
            }
            if mustWake { _ = gw_eventfd_signal(descriptor) }
        }

        fileprivate func take() -> [Message] {
            box.withLock { box in
                let messages = box.messages
                box.messages = []
                return messages
            }
        }

        fileprivate func shut() { box.withLock { $0 = Box(messages: [], isOpen: false) } }
    }

    package let sender: Sender
    private let watch: DescriptorWatch

    /// On the loop's thread; `onMessage` is called there. Fails when the process is out of descriptors.
    package init(loop: EventLoop, onMessage: @escaping (Message) -> Void) throws(LoopError) {
        let descriptor = gw_eventfd()
        guard descriptor >= 0 else { throw LoopError("create eventfd", code: -descriptor) }
        let sender = Sender(descriptor: descriptor)
        self.sender = sender
        watch = DescriptorWatch(loop: loop, descriptor: descriptor) { _, _ in
            _ = gw_eventfd_clear(descriptor)
            for message in sender.take() { onMessage(message) }
        }
        watch.update(read: true, write: false)
    }

    deinit {
        watch.update(read: false, write: false)
        sender.shut()
    }
}
