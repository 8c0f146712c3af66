import Bytes
import Expressions
import JSONBytes

/// Values of a login's request that may be secrets or made of them (a hash of the password, a signature): an answer that
/// repeats them must not bring them into a log or onto a terminal.
package enum DelicateValues {
    /// Shorter ones are words that stand everywhere.
    private static let shortest = 8
    private static let plainFields = ["accept", "content-type", "host", "user-agent"]

    package static func of(_ draft: RequestDraft) -> [[UInt8]] {
        var values: [[UInt8]] = []
        if let query = draft.query { add(Percent.pairs(query.span), to: &values) }
        for index in 0..<draft.fields.count
        where !plainFields.contains(String(decoding: draft.fields.name(at: index), as: UTF8.self).lowercased()) {
            values.append(Array(draft.fields.value(at: index)))
        }
        if case .held(let body) = draft.content {
            if draft.isForm { add(Percent.pairs(body.span), to: &values) }
            if let document = try? JSONDocument(parsing: body) { add(document.root, to: &values) }
        }
        return values.filter { $0.count >= shortest }
    }

    /// The target with each value of its query masked.
    package static func masked(_ target: [UInt8]) -> [UInt8] {
        guard let mark = target.firstIndex(of: 0x3F) else { return target }
        let pairs = target[(mark + 1)...].split(separator: 0x26, omittingEmptySubsequences: false).map { pair in
            pair.firstIndex(of: 0x3D).map { pair[...$0] + Array("***".utf8) } ?? pair
        }
        return Array(target[...mark]) + pairs.joined(separator: [0x26] as [UInt8])
    }

    private static func add(_ pairs: PairBlock, to values: inout [[UInt8]]) {
        for index in 0..<pairs.count { values.append(Array(pairs.value(at: index))) }
    }

    private static func add(_ value: JSONValue, to values: inout [[UInt8]]) {
        switch value.kind {
        case .string: if let text = value.string { values.append(text) }
        case .array: for element in value.elements { add(element, to: &values) }
        case .object: for member in value.members { add(member.value, to: &values) }
        case .null, .bool, .number: break
        }
    }
}
