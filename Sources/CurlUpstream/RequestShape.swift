/// The combination of method options that a handle carries.
enum RequestShape {
    /// GET without a body: libcurl's default, nothing to undo.
    case get
    /// Another method, or a body.
    case other
}
