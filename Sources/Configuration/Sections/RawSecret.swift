/// Where a secret comes from.
struct RawSecret {
    var environment: String?
    var file: String?
    var credential: String?

    static var section: Section<RawSecret> {
        Section(RawSecret()) { _ in
            [
                .key(
                    "env", .text("name of a variable"), into: \.environment,
                    "An environment variable. Other processes of the same user can read it: prefer `file`."),
                .key(
                    "file", .text("path"), into: \.file,
                    "A file that only its owner (this user or root) can read; relative to the config file. A line break at its end is dropped."
                ),
                .key(
                    "credential", .text("name of a credential"), into: \.credential,
                    "A systemd credential (`LoadCredential=`)."),
            ]
        }
    }
}

extension Section<RawSecret> {
    /// The section, with a better word for the mistake that matters: the secret itself in the file. Its text is never
    /// repeated.
    var secretReader: ValueReader<RawSecret> {
        ValueReader(.section(fields.map(\.shape))) { cursor in
            if case .scalar = cursor.node.content {
                cursor.report("secrets are references", hint: "{env: NAME}, {file: path} or {credential: name}")
                return nil
            }
            guard let secret = read(cursor) else { return nil }
            let sources = [secret.environment, secret.file, secret.credential].compactMap { $0 }
            if sources.count != 1 {
                cursor.report("a secret has exactly one source", hint: "env, file or credential")
            }
            return secret
        }
    }
}
