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
            secret.cursor.report(
                "the environment has no \(Quoted.text(name))", hint: known.map { "did you mean \(Quoted.plain($0))?" })
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
        return read(path, secret) { status in
            if status.owner != 0, status.owner != FileReader.effectiveUser {
                secret.cursor.report(
                    "\(Quoted.text(path)) belongs to another user", hint: "chown it to this user or root")
                return .notPermitted
            }
            if status.isOpenToOthers {
                secret.cursor.report(
                    "\(Quoted.text(path)) is open to group or others (mode \(String(status.mode, radix: 8)))",
                    hint: "chmod 600")
                return .notPermitted
            }
            return nil
        }
    }

    /// systemd's own folder. It grants the service's user access by ACL, which shows as group bits: group may read.
    private func fromCredential(_ name: String, _ secret: Named<RawSecret>) -> Secret? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
            secret.cursor.report(
                "there is no credentials folder", hint: "CREDENTIALS_DIRECTORY is set by systemd with LoadCredential=")
            return nil
        }
        guard name.utf8.allSatisfy({ ASCIIName.isNameByte($0) || $0 == 0x40 || $0 == 0x3A }), name != ".", name != ".."
        else {
            secret.cursor.report("\(Quoted.text(name)) is not the name of a credential")
            return nil
        }
        return read(FilePath.resolve(name, in: folder), secret) { status in
            guard status.mode & 0o037 != 0 else { return nil }
            secret.cursor.report("the credential is open to others (mode \(String(status.mode, radix: 8)))")
            return .notPermitted
        }
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

    private func read(_ path: String, _ secret: Named<RawSecret>, check: (FileStatus) -> FileFault?) -> Secret? {
        var isReported = false
        do throws(FileFault) {
            var (bytes, _) = try FileReader.read(path, followsLink: false, limit: SecretSource.largest) { status in
                let fault = check(status)
                isReported = fault != nil
                return fault
            }
            // Editors and echo add one.
            if bytes.last == 0x0A { bytes.removeLast() }
            if bytes.last == 0x0D { bytes.removeLast() }
            return seal(bytes, secret)
        } catch {
            if !isReported {
                let hint = error == .isLink ? "name the file itself" : nil
                secret.cursor.report("\(Quoted.text(path)): \(error.problem)", hint: hint)
            }
            return nil
        }
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
