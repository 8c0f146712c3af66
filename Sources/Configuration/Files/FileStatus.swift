/// What `fstat` says about an open file.
package struct FileStatus: Equatable {
    /// Which file it is and when it last changed (nanoseconds): another stamp, another content.
    package struct Stamp: Equatable, Sendable {
        var inode: UInt64
        var size: Int64
        var modified: Int64

        /// Unix seconds.
        package var modifiedSeconds: Int64 { modified / 1_000_000_000 }
    }

    var owner: UInt32
    /// Permission bits only.
    var mode: UInt32
    var isRegular: Bool
    var isDirectory: Bool
    var stamp = Stamp(inode: 0, size: 0, modified: 0)

    /// Group or others may write.
    var isWritableByOthers: Bool { mode & 0o022 != 0 }
    /// Group or others may do anything.
    var isOpenToOthers: Bool { mode & 0o077 != 0 }
    /// Sticky: others may create but not replace.
    var isSticky: Bool { mode & 0o1000 != 0 }
}
