/// What becomes of a piece of the answer's body.
enum PieceAnswer { case taken, paused, refused }

/// What the request's body had to offer. `.bytes(0)` is its end.
enum SupplyAnswer {
    case bytes(Int)
    case paused, refused
}
