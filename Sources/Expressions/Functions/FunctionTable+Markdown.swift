extension FunctionTable {
    /// The manual's page of functions, with a line break at the end.
    package var markdown: String {
        var text = "# Functions\n\n"
        text +=
            "What expressions may call, beside the operators. A `(type)` before the dot is the value it is called on.\n\n"
        text += "| function | what it gives | example |\n|---|---|---|\n"
        for entry in documentation {
            let signatures = entry.signatures.map { "`\(Self.cell($0))`" }.joined(separator: "<br>")
            let example = entry.example.isEmpty ? "" : "`\(Self.cell(entry.example))`"
            text += "| \(signatures) | \(Self.cell(entry.summary)) | \(example) |\n"
        }
        return text
    }

    /// A bar inside a cell would end it.
    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
