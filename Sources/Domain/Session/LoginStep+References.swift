package import Expressions

extension LoginStep {
    /// Slots of the captures that its request is made of.
    package func captureSlots(_ names: [String]) -> [Int] {
        let members = Set(references.compactMap { $0.name == "session" ? $0.member : nil })
        return names.indices.filter { members.contains(names[$0]) }
    }

    /// Of the request; not of what reads the answer.
    package var references: [Reference] {
        var all = path.references.union([])
        for field in query + headers { all.formUnion(field.value.references) }
        for variable in variables {
            switch variable.source {
            case .expression(let expression): all.formUnion(expression.references)
            case .template(let template): all.formUnion(template.references)
            }
        }
        return Array(all) + bodyTemplates.flatMap { Array($0.references) }
    }

    private var bodyTemplates: [Template] {
        switch body {
        case .none: []
        case .form(let fields): fields.map(\.value)
        case .json(let shape): Self.templates(shape)
        case .xml(let template), .raw(let template): [template]
        case .multipart(let parts): parts.map(\.value)
        }
    }

    private static func templates(_ shape: JSONShape) -> [Template] {
        switch shape {
        case .value(let template): [template]
        case .literal: []
        case .object(let members): members.flatMap { templates($0.value) }
        case .array(let elements): elements.flatMap { templates($0) }
        }
    }
}
