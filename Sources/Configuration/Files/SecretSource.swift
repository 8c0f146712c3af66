import Bytes
import Cryptography

/// Reads the secrets that a config refers to. A value goes from the file into `Secret` and nowhere else.
struct SecretSource {
    /// Largest secret, in bytes: the biggest real ones are RSA keys and certificate chains of some KiB.
    static let largest = 64 * 1024

    let environment: [String: String]
    /// Folder of the config file.
    let folder: String

    func load(_ secret: Named<RawSecret>) -> Secret? {
        if let name = secret.value.environment { return fromEnvironment(name, secret) }
        if let path = secret.value.file { return fromFile(FilePath.resolve(path, in: folder), secret) }
        if let name = secret.value.credential { return fromCredential(name, secret) }
        return nil
    }

    private func fromEnvironment(_ name: String, _ secret: Named<RawSecret>) -> Secret? {
        guard let value = environment[name] else {
            let known = Suggestion.nearest(to: name, among: environment.keys.sorted())
            // What is no name of a variable is the secret itself, in the wrong place.
            let isName = name.utf8.allSatisfy { $0 == 0x5F || ASCII.isAlpha($0) || ASCII.isDigit($0) }
            secret.cursor.report(
                isName
                    ? "the environment has no \(Quoted.text(name))"
                    : "`env` takes the name of a variable, not a secret",
                hint: known.map { "did you mean \(Quoted.plain($0))?" })
            return nil
        }
        guard value.utf8.count <= SecretSource.largest else {
            secret.cursor.report("the secret is larger than 64 KiB")
            return nil
        }
        secret.cursor.report(
            "comes from the environment, which other processes of this user can read",
            hint: "prefer a file or a systemd credential", severity: .info)
        return seal(Array(value.utf8), secret)
    }

    /// Only its owner may read it, and nobody else may put another file in its place.
    private func fromFile(_ path: String, _ secret: Named<RawSecret>) -> Secret? {
        checkFolder(FilePath.folder(of: path), secret)
        return read(path, secret)
    }

    /// Why a file that holds a secret is open to others; `nil`: it is not. Only its owner may read it. In the folder of
    /// systemd's credentials its group may too: systemd grants the service's user access by an ACL, which shows there.
    func exposure(of path: String, _ status: FileStatus) -> String? {
        if let folder = credentials, FilePath.folder(of: path) == folder {
            return status.mode & 0o037 == 0 ? nil : "is open to others (mode \(String(status.mode, radix: 8)))"
        }
        if status.owner != 0, status.owner != FileReader.effectiveUser { return "belongs to another user" }
        return status.isOpenToOthers
            ? "is open to group or others (mode \(String(status.mode, radix: 8)))" : nil
    }

    /// Folder of systemd's credentials, without a slash at its end.
    private var credentials: String? {
        guard var folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else { return nil }
        while folder.utf8.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        return folder
    }

    private func fromCredential(_ name: String, _ secret: Named<RawSecret>) -> Secret? {
        guard let folder = credentials else {
            secret.cursor.report(
                "there is no credentials folder", hint: "CREDENTIALS_DIRECTORY is set by systemd with LoadCredential=")
            return nil
        }
        guard name.utf8.allSatisfy({ ASCIIName.isNameByte($0) || $0 == 0x40 || $0 == 0x3A }), name != ".", name != ".."
        else {
            secret.cursor.report("\(Quoted.text(name)) is not the name of a credential")
            return nil
        }
        return read(FilePath.resolve(name, in: folder), secret)
    }

    private func checkFolder(_ folder: String, _ secret: Named<RawSecret>) {
        guard let status = FileReader.status(ofFolder: folder) else { return }
        if status.owner != 0, status.owner != FileReader.effectiveUser {
            secret.cursor.report("the folder \(Quoted.text(folder)) belongs to another user")
        } else if status.isWritableByOthers, !status.isSticky {
            secret.cursor.report(
                "others can write to the folder \(Quoted.text(folder)) (mode \(String(status.mode, radix: 8)))",
                hint: "chmod go-w")
        }
    }

    private func read(_ path: String, _ secret: Named<RawSecret>) -> Secret? {
        var exposure: String?
        do throws(FileFault) {
            var (bytes, _) = try FileReader.read(path, followsLink: false, limit: SecretSource.largest) { status in
                exposure = self.exposure(of: path, status)
                return exposure == nil ? nil : .notPermitted
            }
            // Editors and echo add one.
            if bytes.last == 0x0A { bytes.removeLast() }
            if bytes.last == 0x0D { bytes.removeLast() }
            return seal(bytes, secret)
        } catch {
            if let exposure {
                secret.cursor.report("\(Quoted.text(path)) \(exposure)", hint: SecretSource.remedy(exposure))
            } else {
                let hint = error == .isLink ? "name the file itself" : nil
                secret.cursor.report("\(Quoted.text(path)): \(error.problem)", hint: hint)
            }
            return nil
        }
    }

    static func remedy(_ exposure: String) -> String {
        exposure.hasPrefix("belongs") ? "chown it to this user or root" : "chmod 600"
    }

    private func seal(_ bytes: consuming [UInt8], _ secret: Named<RawSecret>) -> Secret? {
        guard !bytes.isEmpty else {
            secret.cursor.report("the secret is empty")
            return nil
        }
        let sealed = Secret(copying: bytes.span)
        for index in bytes.indices { bytes[index] = 0 }
        return sealed
    }
}
