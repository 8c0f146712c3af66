/// What a call of `RequestHeadParser.parse` found.
package enum HeadParse: Sendable {
    /// Everything so far may still become a request.
    case incomplete
    /// A whole head; the body, or the next request, starts `consumed` bytes into what was given.
    case complete(RequestHead, consumed: Int)
    /// It never becomes a request. The parser stays refused.
    case refused(WireRefusal)
}
