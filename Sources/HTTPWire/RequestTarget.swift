/// Request targets that the gateway makes itself, by the rules for those that it takes.
package enum RequestTarget {
    /// A path without broken escapes, NUL, backslashes and dot segments in any spelling.
    package static func isPath(_ path: Span<UInt8>) -> Bool {
        guard let end = try? TargetParts.checkPath(path, from: 0) else { return false }
        return end == path.count
    }
}
