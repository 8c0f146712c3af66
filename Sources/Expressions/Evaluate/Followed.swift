/// A node whose value a `SecretTrail` looks at. There is none in what the gateway itself evaluates.
final class Followed: Sendable {
    enum Step: Sendable {
        /// A name, a field or an element.
        case read(Node)
        case took(Node)
        case summed(Node)
        case called(Function, [Node], at: Int)
        /// The whole expression.
        case ended(Node)
    }

    let step: Step

    init(_ step: Step) { self.step = step }

    /// As it is without anybody looking.
    var plain: Node {
        switch step {
        case .read(let node), .took(let node), .summed(let node), .ended(let node): node
        case .called(let function, let arguments, let at): .call(function.body, function.cost, arguments, at: at)
        }
    }
}

extension Compiler {
    /// The same, told to the trail; constants tell nothing.
    func followed(_ typed: Typed) -> Typed {
        guard scope.functions.isRecording, !isKnown(typed.node) else { return typed }
        let step: Followed.Step =
            switch typed.node {
            case .root, .slot, .member, .field, .pairPart, .optionalField, .index, .optionalIndex: .read(typed.node)
            case .negate, .arithmetic: .summed(typed.node)
            default: .took(typed.node)
            }
        if case .followed = typed.node { return typed }
        return Typed(node: .followed(Followed(step)), type: typed.type, known: known(typed))
    }
}

extension Evaluator {
    mutating func followed(_ followed: Followed) throws(EvaluationError) -> Value {
        guard let trail = context.trail, case let mark = trail.mark else { return try value(of: followed.plain) }
        let value: Value
        switch followed.step {
        case .read(let node):
            value = try self.value(of: node)
            trail.read(value, since: mark)
        case .took(let node):
            value = try self.value(of: node)
            trail.took(value, since: mark)
        case .summed(let node):
            value = try self.value(of: node)
            trail.summed(value, since: mark)
        case .called(let function, let nodes, let at):
            let arguments = try values(of: nodes, function.cost)
            value = try call(function, arguments, at)
            trail.called(function, arguments, value, since: mark)
        case .ended(let node):
            value = try self.value(of: node)
            trail.ended(value)
        }
        return value
    }

    private mutating func call(
        _ function: Function, _ arguments: [Value], _ at: Int
    ) throws(EvaluationError) -> Value {
        let result: Value
        try charge(function.cost.call)
        do { result = try function.call(arguments, &meter) } catch { throw error.located(at: at) }
        try meter.charge(result: result, function.cost)
        return result
    }
}
