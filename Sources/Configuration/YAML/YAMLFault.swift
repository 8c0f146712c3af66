/// Why the text is no YAML.
struct YAMLFault: Error {
    /// libyaml's own words; they never quote the text.
    var problem: String
    var position: SourcePosition

    /// What to do about the slips that expressions and templates lead to.
    var hint: String? {
        if problem.contains("mapping values are not allowed") {
            return "a text with `: ` in it needs quotes, or >- and a line of its own"
        }
        if problem.contains("cannot start any token") {
            return "put the text in quotes, and indent with blanks, not tabs"
        }
        if problem.contains("flow mapping") || problem.contains("flow sequence") {
            return "inside { } and [ ] a text with a comma, a bracket or `: ` needs quotes"
        }
        if problem.contains("block mapping") || problem.contains("block sequence") {
            return "a text that begins with a quote or a bracket and goes on behind it needs quotes around all of it: "
                + "'\"x\" + nonce'"
        }
        return nil
    }
}
