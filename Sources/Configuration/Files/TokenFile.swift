/// A file in which somebody else leaves a credential (`token: {file: ...}`). Read while the gateway runs, with the same rule
/// as a secret: only its owner may read it.
package enum TokenFile {
    /// Why there is no credential; holds the path and no content.
    package struct Problem: Error {
        package var detail: String
        /// There is no such file.
        package var isMissing: Bool

        package init(detail: String, isMissing: Bool = false) {
            self.detail = detail
            self.isMissing = isMissing
        }
    }

    package static func read(
        _ path: String, limit: Int
    ) throws(Problem) -> (text: [UInt8], stamp: FileStatus.Stamp) {
        var complaint: String?
        do throws(FileFault) {
            // Links are followed: writers swap a link, or rename a new file over the old one.
            let (text, status) = try FileReader.read(path, followsLink: true, limit: limit) { status in
                complaint = problem(of: status)
                return complaint == nil ? nil : .notPermitted
            }
            return (text, status.stamp)
        } catch {
            throw Problem(
                detail: "\(Quoted.text(path)): \(complaint ?? error.problem)", isMissing: error == .missing)
        }
    }

    /// What tells whether the file has changed; `nil`: it cannot be opened.
    package static func stamp(_ path: String) -> FileStatus.Stamp? {
        var stamp: FileStatus.Stamp?
        // The check sees the status of the open file and stops before a byte is read.
        _ = try? FileReader.read(path, followsLink: true, limit: 0) { status in
            stamp = status.stamp
            return .notPermitted
        }
        return stamp
    }

    private static func problem(of status: FileStatus) -> String? {
        if status.owner != 0, status.owner != FileReader.effectiveUser { return "belongs to another user" }
        return status.isOpenToOthers
            ? "is open to group or others (mode \(String(status.mode, radix: 8))); chmod 600" : nil
    }
}
