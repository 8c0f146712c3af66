/// Where one transfer stands, and which deadline counts. Every transport goes through these:
/// starting -> connecting -> (sending ->) awaitingHead -> receiving -> over; any -> over.
package enum TransferStage: Sendable {
    /// Nothing is under way yet, and perhaps never will be.
    case starting
    /// A connection is being found or opened; that has a deadline of its own.
    case connecting
    /// The request goes out; the idle deadline counts.
    case sending
    /// The request is out; the first-byte deadline counts and nothing moves it.
    case awaitingHead
    /// The head is here; the idle deadline counts.
    case receiving
    case over
}
