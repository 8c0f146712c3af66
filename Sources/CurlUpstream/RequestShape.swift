/// The combination of method options that a handle carries.
enum RequestShape: Equatable {
    /// GET without a body: libcurl's default, nothing to undo.
    case get
    /// A body in the same write as the head, by this method: only the body changes.
    case inline(method: [UInt8])
    /// Another method, or a streamed body.
    case other
}
