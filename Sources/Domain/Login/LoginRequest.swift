import Bytes
import Cryptography
import Expressions
import JSONBytes
import XMLBytes

/// Writes the request of a login step: values first, then target, fields and body.
enum LoginRequest {
    /// The step's own values, `vars.NAME`, in order.
    static func setVariables(_ recipe: LoginStep, _ scope: ExchangeScope) throws(EvaluationError) {
        scope.variables.removeAll()
        for variable in recipe.variables {
            switch variable.source {
            case .expression(let expression): scope.variables.append(try expression.evaluate(scope))
            case .template(let template): scope.variables.append(try template.evaluate(scope))
            }
            if let value = scope.variables.values.last {
                scope.trace?.computed(variable.name, value, recipe: AssemblyTrace.step)
            }
        }
    }

    static func fill(_ draft: RequestDraft, _ recipe: LoginStep, _ scope: ExchangeScope) throws(EvaluationError) {
        draft.method = recipe.method
        var target: [UInt8] = []
        try recipe.path.append(to: &target, scope)
        guard target.first == 0x2F, target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
            throw EvaluationError(
                .badArgument, "this gives no valid path: it begins with `/`, and has no blank, no `#` and ASCII only")
        }
        scope.trace?.digested("path", target)
        let mark = target.firstIndex(of: 0x3F)
        draft.path = Array(target[..<(mark ?? target.count)])
        var query = mark.map { Array(target[($0 + 1)...]) } ?? []
        try append(recipe.query, scope, spaceIsPlus: false, to: &query)
        draft.query = mark == nil && query.isEmpty ? nil : query
        for field in recipe.headers {
            try appendHeader(field, to: draft, scope)
        }
        try fillBody(draft, recipe, scope)
    }

    private static func appendHeader(
        _ field: NamedTemplate, to draft: RequestDraft, _ scope: ExchangeScope
    ) throws(EvaluationError) {
        var value: [UInt8] = []
        try field.value.append(to: &value, scope)
        scope.trace?.digested("header \(String(decoding: field.name, as: UTF8.self))", value)
        // RFC 9110 5.5: no control character in a field value.
        value.removeAll { $0 < 0x20 || $0 == 0x7F }
        draft.fields.append(name: field.name, value: value)
    }

    private static func fillBody(_ draft: RequestDraft, _ recipe: LoginStep, _ scope: ExchangeScope)
        throws(EvaluationError)
    {
        var bytes: [UInt8] = []
        switch recipe.body {
        case .none: return
        case .form(let fields):
            try append(fields, scope, spaceIsPlus: true, to: &bytes)
            setType("application/x-www-form-urlencoded", draft)
        case .json(let shape):
            try append(shape, scope, to: &bytes)
            setType("application/json", draft)
        case .xml(let template):
            try template.append(to: &bytes, scope) { text, bytes in XMLText.appendEscaped(text, to: &bytes) }
            setType("application/xml", draft)
        case .multipart(let parts):
            let body = MultipartText(try evaluated(parts, scope))
            bytes = body.bytes
            setType(body.contentType, draft)
        case .raw(let template): try template.append(to: &bytes, scope)
        }
        scope.trace?.digested("body", bytes)
        draft.content = .held(bytes)
    }

    private static func evaluated(
        _ parts: [LoginStep.Part], _ scope: ExchangeScope
    ) throws(EvaluationError) -> [MultipartPart] {
        var evaluated: [MultipartPart] = []
        for part in parts {
            var (value, filename) = ([UInt8](), [UInt8]())
            try part.value.append(to: &value, scope)
            try part.fileName?.append(to: &filename, scope)
            evaluated.append(
                MultipartPart(
                    name: part.name, value: value, filename: part.fileName == nil ? nil : filename, type: part.type))
        }
        return evaluated
    }

    private static func setType(_ type: String, _ draft: RequestDraft) {
        guard draft.fields.first("content-type", folding: true) == nil else { return }
        draft.fields.append(name: Array("Content-Type".utf8), value: Array(type.utf8))
    }

    private static func append(
        _ fields: [NamedTemplate], _ scope: ExchangeScope, spaceIsPlus: Bool, to text: inout [UInt8]
    ) throws(EvaluationError) {
        var value: [UInt8] = []
        for field in fields {
            value.removeAll(keepingCapacity: true)
            try field.value.append(to: &value, scope)
            scope.trace?.digested(String(decoding: field.name, as: UTF8.self), value)
            PairText.append(name: field.name.span, value: value.span, spaceIsPlus: spaceIsPlus, to: &text)
        }
    }

    private static func append(
        _ shape: LoginStep.JSONShape, _ scope: ExchangeScope, to json: inout [UInt8]
    ) throws(EvaluationError) {
        switch shape {
        case .value(let template):
            let value = try template.evaluate(scope)
            let start = json.count
            value.appendJSON(to: &json)
            scope.trace?.digested("json", Array(json[start...]))
        case .literal(let bytes): json.append(contentsOf: bytes)
        case .array(let elements):
            json.append(0x5B)
            for index in elements.indices {
                if index > 0 { json.append(0x2C) }
                try append(elements[index], scope, to: &json)
            }
            json.append(0x5D)
        case .object(let members):
            json.append(0x7B)
            for index in members.indices {
                if index > 0 { json.append(0x2C) }
                json.append(0x22)
                let key = members[index].key
                JSONText.appendEscaped(key.span, to: &json)
                json.append(contentsOf: [0x22, 0x3A])
                try append(members[index].value, scope, to: &json)
            }
            json.append(0x7D)
        }
    }
}
