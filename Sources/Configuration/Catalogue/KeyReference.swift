/// The manual's page of config keys, as Markdown, from the table that the reader uses.
package enum KeyReference {
    /// One table for each top-level key, with a line break at the end.
    package static var markdown: String {
        var text =
            "# Config keys\n\nMade from the reader's own table. `NAME` is a name of your choice, `[]` a list item.\n"
        var section = ""
        for row in KeyCatalogue.rows {
            let top = String(row.path.prefix { $0 != "." && $0 != "[" })
            if top != section {
                section = top
                text += "\n## \(top)\n\n| key | takes | default | meaning |\n|---|---|---|---|\n"
            }
            let initial = row.isRequired ? "required" : row.defaultText.map { "`\($0)`" } ?? ""
            text += "| `\(row.path)` | \(cell(row.type)) | \(cell(initial)) | \(cell(row.doc)) |\n"
        }
        return text
    }

    static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
