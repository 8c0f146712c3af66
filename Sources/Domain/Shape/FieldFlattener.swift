import Bytes
import Expressions
import JSONBytes

/// Fields as pairs of name and text: null is an empty text, true and false are words, a number is its own token, an empty
/// list or object is left out, and a value within a value gets a name by the rule of `nesting`.
struct FieldFlattener {
    let nesting: ShapePlan.Nesting
    let limit: UInt64

    func form(_ fields: [ShapeField]) throws(GatewayError) -> [UInt8] { try text(fields, spaceIsPlus: true) }

    func query(_ fields: [ShapeField]) throws(GatewayError) -> [UInt8] { try text(fields, spaceIsPlus: false) }

    func parts(_ fields: [ShapeField]) throws(GatewayError) -> [MultipartPart] {
        var parts: [MultipartPart] = []
        var size: UInt64 = 0
        for field in fields {
            let first = parts.count
            if case .bytes(let bytes) = field.value {
                try add(field.name, Array(bytes), to: &parts, &size)
                parts[first].filename = field.filename ?? field.name
                parts[first].type = field.type ?? Array("application/octet-stream".utf8)
            } else {
                try append(field.name, field.value, to: &parts, &size)
                for index in first..<parts.count { parts[index].type = field.type }
            }
        }
        return parts
    }

    private func text(_ fields: [ShapeField], spaceIsPlus: Bool) throws(GatewayError) -> [UInt8] {
        var text: [UInt8] = []
        for pair in try parts(fields) {
            PairText.append(name: pair.name.span, value: pair.value.span, spaceIsPlus: spaceIsPlus, to: &text)
            guard UInt64(text.count) <= limit else { throw Self.tooLarge }
        }
        return text
    }

    static let tooLarge = GatewayError(.tooLarge, detail: "the request in its new shape is above the route's limit")

    private func append(
        _ name: [UInt8], _ value: Value, to pairs: inout [MultipartPart], _ size: inout UInt64
    ) throws(GatewayError) {
        if let json = value.container {
            try append(name, json, level: 0, to: &pairs, &size)
        } else {
            var text: [UInt8] = []
            value.appendText(to: &text)
            try add(name, text, to: &pairs, &size)
        }
    }

    /// The name of an inner value holds those of all the outer ones, so that the total is bounded here.
    private func add(
        _ name: [UInt8], _ text: [UInt8], to pairs: inout [MultipartPart], _ size: inout UInt64
    ) throws(GatewayError) {
        size += UInt64(name.count + text.count + 2)
        guard size <= limit else { throw Self.tooLarge }
        pairs.append(MultipartPart(name: name, value: text))
    }

    private func append(
        _ name: [UInt8], _ json: JSONValue, level: Int, to pairs: inout [MultipartPart], _ size: inout UInt64
    ) throws(GatewayError) {
        guard level < ShapeField.mostLevels else {
            throw GatewayError.badRequest("a value is nested deeper than \(ShapeField.mostLevels) levels")
        }
        switch json.kind {
        case .object where nesting != .json:
            for member in json.members {
                let key = Array(member.key.text ?? [])
                let inner = nesting == .dots ? name + [0x2E] + key : name + [0x5B] + key + [0x5D]
                try append(inner, member.value, level: level + 1, to: &pairs, &size)
            }
        case .array where nesting != .json || json.elements.allSatisfy { $0.kind != .object && $0.kind != .array }:
            var index: UInt64 = 0
            for element in json.elements {
                let isPlain = element.kind != .object && element.kind != .array
                var inner = name
                if nesting != .json {
                    inner.append(0x5B)
                    // Plain values in brackets need no number; a record's fields must stay together.
                    if nesting == .dots || !isPlain { inner.append(decimal: index) }
                    inner.append(0x5D)
                }
                index += 1
                try append(inner, element, level: level + 1, to: &pairs, &size)
            }
        case .object, .array: try add(name, Array(json.raw), to: &pairs, &size)
        case .null, .bool, .number, .string:
            var text: [UInt8] = []
            Value.json(json).appendText(to: &text)
            try add(name, text, to: &pairs, &size)
        }
    }
}

extension Value {
    /// The list or object that this is, as JSON; `nil` for a plain value.
    var container: JSONValue? {
        switch self {
        case .json(let json): return json.kind == .object || json.kind == .array ? json : nil
        case .optional(let inner): return inner?.container
        case .list, .map, .pairs, .pair:
            var text: [UInt8] = []
            appendJSON(to: &text)
            return try? JSONDocument(parsing: text).root
        default: return nil
        }
    }
}
