/// A file that the command line names: no secret, whoever may read it.
package enum SampleFile {
    /// - Throws: why it cannot be read; holds the path and no content.
    package static func read(_ path: String, limit: Int) throws(TokenFile.Problem) -> [UInt8] {
        do throws(FileFault) {
            return try FileReader.read(path, followsLink: true, limit: limit).bytes
        } catch {
            throw TokenFile.Problem(detail: "\(Quoted.text(path)): \(error.problem)")
        }
    }
}
