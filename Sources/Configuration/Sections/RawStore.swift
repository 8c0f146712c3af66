/// `store` of a session as read: where its credential is kept across restarts.
struct RawStore {
    var file: Placed<String>?
    var key: Cursor?

    static var section: Section<RawStore> {
        Section(RawStore()) { _ in
            [
                .key(
                    "file", ValueReader.text("path").placed, into: \.file, isRequired: true,
                    "The file, relative to the config file; made with mode 0600 in a folder that this user can write."),
                .key(
                    "key", .template, into: \.key, isRequired: true,
                    "`${secret.NAME}`: a random secret of at least 16 bytes, the key to the file."),
            ]
        }
    }
}
