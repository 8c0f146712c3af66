import Expressions
import JSONBytes
import XMLBytes

/// Fields as an XML document: an element for each field, within it one for each member; a list repeats its element; null is an
/// empty element.
struct XMLShape {
    let limit: UInt64

    func document(_ root: [UInt8], _ fields: [ShapeField]) throws(GatewayError) -> [UInt8] {
        var output: [UInt8] = []
        try open(root, &output)
        for field in fields {
            if let json = field.value.container {
                try append(field.name, json, level: 0, to: &output)
            } else {
                var text: [UInt8] = []
                field.value.appendText(to: &text)
                try append(field.name, text, to: &output)
            }
        }
        close(root, &output)
        return output
    }

    private func append(
        _ name: [UInt8], _ json: JSONValue, level: Int, to output: inout [UInt8]
    ) throws(GatewayError) {
        guard level < ShapeField.mostLevels else {
            throw GatewayError.badRequest("a value is nested deeper than \(ShapeField.mostLevels) levels")
        }
        guard UInt64(output.count) <= limit else { throw FieldFlattener.tooLarge }
        switch json.kind {
        case .object:
            try open(name, &output)
            for member in json.members {
                try append(Array(member.key.text ?? []), member.value, level: level + 1, to: &output)
            }
            close(name, &output)
        case .array:
            for element in json.elements { try append(name, element, level: level + 1, to: &output) }
        case .null, .bool, .number, .string:
            var text: [UInt8] = []
            Value.json(json).appendText(to: &text)
            try append(name, text, to: &output)
        }
    }

    private func append(_ name: [UInt8], _ text: [UInt8], to output: inout [UInt8]) throws(GatewayError) {
        try open(name, &output)
        guard XMLText.appendEscaped(text[...], to: &output) else {
            throw GatewayError.badRequest("a field holds a character that XML cannot say")
        }
        close(name, &output)
    }

    private func open(_ name: [UInt8], _ output: inout [UInt8]) throws(GatewayError) {
        guard XMLText.isName(name[...]) else {
            // A name is the client's word, and goes into a log.
            let shown = name.prefix(40).map { 0x20...0x7E ~= $0 ? $0 : 0x3F }
            throw GatewayError.badRequest(
                "this route sends XML, and no element can have the name of the field "
                    + "`\(String(decoding: shown, as: UTF8.self))`")
        }
        output.append(0x3C)
        output.append(contentsOf: name)
        output.append(0x3E)
    }

    private func close(_ name: [UInt8], _ output: inout [UInt8]) {
        output.append(contentsOf: [0x3C, 0x2F])
        output.append(contentsOf: name)
        output.append(0x3E)
    }
}
