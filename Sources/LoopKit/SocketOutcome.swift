/// What a non-blocking read did.
package enum ReadOutcome: Equatable, Sendable {
    /// So many bytes (at least 1) were handed over.
    case read(Int)
    /// The peer will send nothing more.
    case ended
    /// Nothing there now.
    case blocked
    /// The connection is gone; errno.
    case failed(Int32)
}

/// What a non-blocking write did.
package enum WriteOutcome: Equatable, Sendable {
    /// So many bytes went into the socket; possibly fewer than given.
    case wrote(Int)
    /// The socket is full: `watchWrites(true)` and wait.
    case blocked
    /// The connection is gone; errno.
    case failed(Int32)
}
