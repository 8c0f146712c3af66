/// What PHP makes of a variable's name (`php_register_variable_ex`).
enum PHPName {
    /// The name under which the variable is stored, and whether brackets make it an array. `nil`: dropped.
    /// Blanks in front go; ` ` and `.` become `_` up to the first `[`; a `[` that is never closed becomes `_`; a zero byte
    /// ends the name.
    static func register(_ raw: [UInt8]) -> (name: [UInt8], isArray: Bool)? {
        let whole = raw.prefix { $0 != 0 }.drop { $0 == 0x20 }
        let head = whole.prefix { $0 != 0x5B }
        guard !head.isEmpty else { return nil }
        var name = head.map { $0 == 0x20 || $0 == 0x2E ? 0x5F : $0 }
        guard head.endIndex < whole.endIndex else { return (name, false) }
        let rest = whole[(head.endIndex + 1)...]
        if rest.contains(0x5D) { return (name, true) }
        name.append(0x5F)
        name.append(contentsOf: rest)
        return (name, false)
    }
}
