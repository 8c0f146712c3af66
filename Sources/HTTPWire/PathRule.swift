/// The rule for a path that goes out, which is the one for a path that comes in: what a rewrite makes of client data must
/// not say more than a client may.
package enum PathRule {
    /// - Throws: `.dotSegment`, or `.badTarget` for a broken escape, NUL, a backslash or `#`.
    package static func check(_ path: Span<UInt8>) throws(WireRefusal) { try TargetParts.check(path: path) }
}
