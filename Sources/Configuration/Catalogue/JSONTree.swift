/// A JSON text in the making, members in the order given.
indirect enum JSONTree {
    /// A literal token: number, `true`, `null`.
    case token(String)
    case string(String)
    case array([JSONTree])
    case object([(key: String, value: JSONTree)])

    /// Two blanks for each level; arrays of scalars stay on one line.
    func text(indent: Int = 0) -> String {
        let (inner, outer) = (String(repeating: "  ", count: indent + 1), String(repeating: "  ", count: indent))
        switch self {
        case .token(let token): return token
        case .string(let text): return JSONLiteral.string(text)
        case .array(let items):
            if items.allSatisfy(\.isScalar) { return "[" + items.map { $0.text() }.joined(separator: ", ") + "]" }
            return "[\n" + items.map { inner + $0.text(indent: indent + 1) }.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.map { inner + JSONLiteral.string($0.key) + ": " + $0.value.text(indent: indent + 1) }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .token, .string: true
        case .array, .object: false
        }
    }
}
