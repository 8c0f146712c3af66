import Glibc

extension HostProcess {
    /// The environment as it was at the call. Names without `=` and bytes that are no UTF-8 are repaired as Swift does.
    package static var environment: [String: String] {
        var result: [String: String] = [:]
        var entry = unsafe environ
        while let pointer = unsafe entry.pointee {
            let text = unsafe String(cString: pointer)
            if let equals = text.firstIndex(of: "=") {
                result[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return result
    }

    /// Ends the process; what was written is out already (no buffers are kept).
    package static func exit(_ code: Int32) -> Never { Glibc.exit(code) }
}
