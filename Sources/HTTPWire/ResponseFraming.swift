/// How the body of an upstream's answer ends.
package enum ResponseFraming: Sendable, Equatable {
    /// 1xx, 204 and 304 have no body, whatever their fields say.
    case none
    case length(UInt64)
    case chunked
    /// The end of the connection ends it.
    case close
}
