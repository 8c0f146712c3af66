/// What a call of `ChunkedDecoder.decode` did.
package struct ChunkProgress: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case needMore
        /// The last chunk and the trailers were read: the next request starts after `consumed`.
        case done
        case refused(WireRefusal)
    }
    /// Bytes of the input that belong to this body, framing included.
    package let consumed: Int
    package let state: State
}

/// What `ChunkedDecoder.next` found.
package enum ChunkStep: Sendable, Equatable {
    /// Offsets of body bytes in the input.
    case data(Range<Int>)
    case needMore
    case done
    case refused(WireRefusal)
}
