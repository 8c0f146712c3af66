/// How a listener behaves.
package struct ListenerOptions: Sendable {
    /// Connections the kernel queues for us; cut to net.core.somaxconn by the kernel. Default 1024.
    package var backlog: Int32 = 1024
    /// Connections taken per wake-up, so that a flood of connects cannot starve the connections there are. Default 64.
    package var acceptsPerTick = 64
    /// Longest pause after the process ran out of descriptors. Default 100 ms.
    package var pause: UInt64 = 100_000_000
    package init() {}
}
