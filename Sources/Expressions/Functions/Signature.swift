/// What a function takes and gives, read from the text that the manual shows:
/// `hash.md5(string|bytes) -> bytes`, `(string).charAt(int) -> string`, `math.greatest(number...) -> dyn`.
package struct Signature: Sendable {
    enum Result: Sendable {
        case type(StaticType)
        /// The type of the first argument (a list of records stays one).
        case same
        /// What the optional in the first argument wraps.
        case wrapped
    }

    /// As written.
    package let text: String
    package let name: String
    /// Called as `receiver.name(...)`; the receiver is the first parameter.
    package let isMember: Bool
    /// For each parameter the types that it accepts.
    package let parameters: [[StaticType]]
    /// The last parameter may come any number of times, also never.
    let isVariadic: Bool
    let result: Result

    /// Malformed text is a mistake in the program, found by the first use of the table.
    init(_ text: String) {
        self.text = text
        guard let arrow = text.firstIndex(of: ">"), let close = text[..<arrow].lastIndex(of: ")") else {
            preconditionFailure("malformed signature \(text)")
        }
        var head = text[..<close]
        var parameters: [[StaticType]] = []
        isMember = head.first == "("
        if isMember, let end = head.firstIndex(of: ")") {
            parameters.append(Signature.types(head[head.index(after: head.startIndex)..<end]))
            head = head[head.index(end, offsetBy: 2)...]
        }
        guard let open = head.firstIndex(of: "(") else { preconditionFailure("malformed signature \(text)") }
        name = String(head[..<open])
        isVariadic = head.hasSuffix("...")
        for part in head[head.index(after: open)...].split(separator: ",") {
            parameters.append(Signature.types(part.drop { $0 == " " }))
        }
        self.parameters = parameters
        switch text[text.index(after: arrow)...].drop(while: { $0 == " " }) {
        case "same": result = .same
        case "wrapped": result = .wrapped
        case let name: result = .type(Signature.types(name).first ?? .dyn)
        }
    }

    private static func types(_ text: Substring) -> [StaticType] {
        text.split(separator: "|").flatMap { word -> [StaticType] in
            let name = word.hasSuffix("...") ? word.dropLast(3) : word
            if name == "number" { return [.int, .uint, .double] }
            return [type(String(name))]
        }
    }

    private static func type(_ name: String) -> StaticType {
        switch name {
        case "list": return .list(.dyn)
        case "list(string)": return .list(.string)
        case "list(pair)": return .list(.pair)
        case "map": return .map(.dyn)
        case "optional": return .optional(.dyn)
        case "pairs": return .pairs
        default:
            let scalars: [StaticType] = [
                .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
            ]
            guard let found = scalars.first(where: { $0.name == name }) else {
                preconditionFailure("unknown type \(name) in a signature")
            }
            return found
        }
    }

    func accepts(count: Int) -> Bool {
        isVariadic ? count >= parameters.count - 1 : count == parameters.count
    }

    func accepts(_ arguments: [StaticType]) -> Bool {
        guard accepts(count: arguments.count) else { return false }
        for (index, argument) in arguments.enumerated() {
            let allowed = parameters[min(index, parameters.count - 1)]
            if !allowed.contains(where: { argument.couldBe($0) }) { return false }
        }
        return true
    }

    func result(for arguments: [StaticType]) -> StaticType {
        switch result {
        case .type(let type): type
        case .same: arguments.first == .pairs ? .list(.pair) : arguments.first ?? .dyn
        case .wrapped:
            if case .optional(let wrapped)? = arguments.first { wrapped } else { .dyn }
        }
    }
}
