/// One part of a multipart body as read: just its value, or a file.
struct RawPart {
    var value: Cursor?
    var fileName: Cursor?
    var type: String?

    static var section: Section<RawPart> {
        Section(RawPart()) { _ in
            [
                .key("value", .template, into: \.value, isRequired: true, "Content of the part."),
                .key("filename", .template, into: \.fileName, "Name of the file that it claims to be."),
                .key("type", .text("media type"), into: \.type, "Its `Content-Type`."),
            ]
        }
    }

    /// A template alone is the value.
    static var reader: ValueReader<RawPart> {
        let whole = section.reader
        return ValueReader(.either(.template, whole.type)) { cursor in
            if case .scalar = cursor.node.content { return RawPart(value: cursor) }
            return whole.read(cursor)
        }
    }
}
