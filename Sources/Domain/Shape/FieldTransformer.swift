import Bytes
import Expressions
import JSONBytes

/// Gives the fields at one place their new values. The place is the same whether the client says it in JSON
/// (`{"user":{"password":1}}`) or in the name of a pair (`user[password]=1`). An absent result takes the field away.
struct FieldTransformer {
    let transform: ShapePlan.Transform
    let nester: FieldNester
    let scope: ExchangeScope

    func apply(to fields: inout [ShapeField]) throws(GatewayError) {
        var kept: [ShapeField] = []
        kept.reserveCapacity(fields.count)
        for var field in fields {
            if try change(&field) { kept.append(field) }
        }
        fields = kept
    }

    /// False when the field goes.
    private func change(_ field: inout ShapeField) throws(GatewayError) -> Bool {
        let path = transform.path
        if path.count == 1 || field.isPair {
            guard path.count == 1 ? field.name == path[0] : names(field) else { return true }
            guard let value = try evaluate(field.value) else { return false }
            field.value = value
            if case .bytes = value { return true }
            // A file whose content became a text is a field like any other.
            (field.filename, field.type) = (nil, nil)
            return true
        }
        guard field.name == path[0], let json = field.value.container else { return true }
        switch try edit(json, path.dropFirst()) {
        case .kept: return true
        case .removed: return false
        case .changed(let text):
            guard let document = try? JSONDocument(parsing: text) else { throw fault("no JSON") }
            field.value = .json(document.root)
            return true
        }
    }

    /// `l[0][k]` and `l[][k]` are at `/l/*/k`.
    private func names(_ field: ShapeField) -> Bool {
        let steps = nester.path(field.name)
        guard steps.count == transform.path.count else { return false }
        return zip(steps, transform.path).allSatisfy { step, wanted in
            switch step {
            case .next: wanted == ShapePlan.Transform.each
            case .key(let key):
                key == wanted || (wanted == ShapePlan.Transform.each && !key.isEmpty && key.allSatisfy(ASCII.isDigit))
            }
        }
    }

    private enum Edit { case kept, removed, changed([UInt8]) }

    /// What is not on the way stays as it is written. Recursion as deep as the path is long.
    private func edit(_ json: JSONValue, _ path: ArraySlice<[UInt8]>) throws(GatewayError) -> Edit {
        guard let step = path.first else {
            guard let value = try evaluate(.json(json)) else { return .removed }
            var text: [UInt8] = []
            value.appendJSON(to: &text)
            return .changed(text)
        }
        var children: [(key: [UInt8]?, value: JSONValue, isMeant: Bool)] = []
        switch json.kind {
        case .object:
            for member in json.members {
                let key = Array(member.key.text ?? [])
                children.append((key, member.value, key == step))
            }
        case .array:
            for (index, element) in json.elements.enumerated() {
                let isMeant = step == ShapePlan.Transform.each || step == Array(String(index).utf8)
                children.append((nil, element, isMeant))
            }
        case .null, .bool, .number, .string: return .kept
        }
        var (output, isChanged) = ([UInt8](), false)
        for child in children {
            let edited = child.isMeant ? try edit(child.value, path.dropFirst()) : .kept
            if case .removed = edited {
                isChanged = true
                continue
            }
            if !output.isEmpty { output.append(0x2C) }
            if let key = child.key {
                EnvelopeText.append(key, to: &output)
                output.append(0x3A)
            }
            if case .changed(let text) = edited {
                isChanged = true
                output.append(contentsOf: text)
            } else {
                output.append(copying: child.value.raw.span)
            }
        }
        guard isChanged else { return .kept }
        return .changed(json.kind == .object ? [0x7B] + output + [0x7D] : [0x5B] + output + [0x5D])
    }

    private func evaluate(_ value: Value) throws(GatewayError) -> Value? {
        scope.field = value
        defer { scope.field = nil }
        do {
            let result = try transform.value.evaluate(scope)
            scope.trace?.transformed(transform.name, result)
            if case .optional(nil) = result { return nil }
            return result
        } catch {
            throw fault("\(error)")
        }
    }

    private func fault(_ reason: String) -> GatewayError {
        GatewayError.badRequest("transform of field \(String(decoding: transform.name, as: UTF8.self)): \(reason)")
    }
}
