/// What a key takes: for the manual and for `config/schema.json`. The reader of the same key carries it.
package indirect enum ValueType: Sendable {
    case flag
    /// `500ms 3s 5m 1h`.
    case duration
    /// `64KiB 10MiB 1GiB` or plain bytes.
    case size
    case integer(ClosedRange<Int>)
    /// Free text; the word says what it is: `path`, `URL`.
    case text(String)
    case choice([String])
    case expression
    case template
    /// Also takes one item without brackets.
    case list(ValueType)
    /// Names chosen by the user, each with this; the word stands for the name in paths.
    case map(ValueType, name: String)
    case section([KeyShape])
    case either(ValueType, ValueType)
    /// Any JSON whose texts are templates.
    case json

    /// For the manual and for "expected ..." problems.
    package var name: String {
        switch self {
        case .flag: "true or false"
        case .duration: "a duration"
        case .size: "a size"
        case .integer(let range):
            range.upperBound == .max
                ? "a number from \(range.lowerBound)" : "a number from \(range.lowerBound) to \(range.upperBound)"
        case .text(let what): what
        case .choice(let words): words.joined(separator: " | ")
        case .expression: "an expression"
        case .template: "a template"
        case .list(let item): "\(item.name), or a list of them"
        case .map(let item, let name): "a mapping \(name): \(item.name)"
        case .section: "a mapping"
        case .either(let first, let second): "\(first.name), or \(second.name)"
        case .json: "JSON with templates"
        }
    }
}
