import Glibc

/// The system's text for an errno.
package enum ErrorText {
    /// `Connection refused (111)`; never empty.
    package static func of(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe "\(String(cString: text)) (\(code))"
    }
}
