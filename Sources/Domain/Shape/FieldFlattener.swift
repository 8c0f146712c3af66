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
            try append(name, json, to: &pairs, &size)
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
        _ name: [UInt8], _ json: JSONValue, to pairs: inout [MultipartPart], _ size: inout UInt64
    ) throws(GatewayError) {
        guard let rule = Flattening(rawValue: nesting.rawValue) else {
            return try appendText(name, json, to: &pairs, &size)
        }
        let tooDeep = GatewayError.badRequest("a value is nested deeper than \(Flattening.mostLevels) levels")
        try rule.walk(json, named: name, tooDeep: tooDeep) { name, leaf throws(GatewayError) in
            try add(name, text(of: leaf), to: &pairs, &size)
        }
    }

    /// Values within values as JSON texts; of a list of plain values, a field for each.
    private func appendText(
        _ name: [UInt8], _ json: JSONValue, to pairs: inout [MultipartPart], _ size: inout UInt64
    ) throws(GatewayError) {
        let isPlainList =
            json.kind == .array && json.elements.allSatisfy { $0.kind != .object && $0.kind != .array }
        guard isPlainList else { return try add(name, Array(json.raw), to: &pairs, &size) }
        for element in json.elements { try add(name, text(of: element), to: &pairs, &size) }
    }

    private func text(of plain: JSONValue) -> [UInt8] {
        var text: [UInt8] = []
        Value.json(plain).appendText(to: &text)
        return text
    }
}
