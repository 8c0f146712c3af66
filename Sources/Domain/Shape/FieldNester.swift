import Bytes
import Expressions
import JSONBytes

/// Fields as one JSON object. Names of pairs that say a place within a value (`a[b]`, `c[]`, `a.b`) build it; a pair that
/// comes more than once makes a list. What came as JSON is spliced as it is, member by member.
struct FieldNester {
    let nesting: ShapePlan.Nesting

    enum Step: Equatable {
        case key([UInt8])
        /// `[]`
        case next
    }

    func json(_ fields: [ShapeField]) throws(GatewayError) -> [UInt8] {
        guard fields.contains(where: \.isPair) else { return members(fields) }
        let root = FieldNode(.object)
        for field in fields { try insert(field.value, at: path(field.name), into: root) }
        var output: [UInt8] = []
        root.append(to: &output, isRoot: true)
        return output
    }

    private func members(_ fields: [ShapeField]) -> [UInt8] {
        var output: [UInt8] = [0x7B]
        for (index, field) in fields.enumerated() {
            if index > 0 { output.append(0x2C) }
            EnvelopeText.append(field.name, to: &output)
            output.append(0x3A)
            field.value.appendJSON(to: &output)
        }
        output.append(0x7D)
        return output
    }

    /// The place that the name of a pair says.
    func path(_ name: [UInt8]) -> [Step] {
        let stop: UInt8 = nesting == .dots ? 0x2E : 0x5B
        guard nesting != .json, let first = name.firstIndex(where: { $0 == stop || $0 == 0x5B }), first > 0 else {
            return [.key(name)]
        }
        var steps: [Step] = [.key(Array(name[..<first]))]
        var index = first
        while index < name.count {
            if name[index] == 0x5B, let end = name[index...].firstIndex(of: 0x5D) {
                let key = Array(name[(index + 1)..<end])
                steps.append(key.isEmpty ? .next : .key(key))
                index = end + 1
            } else if nesting == .dots, name[index] == 0x2E, index + 1 < name.count {
                let rest = name[(index + 1)...]
                let end = rest.firstIndex { $0 == 0x2E || $0 == 0x5B } ?? name.count
                steps.append(.key(Array(rest[..<end])))
                index = end
            } else {
                // Brackets that do not close are part of a name like any other.
                return [.key(name)]
            }
        }
        return steps
    }

    private func insert(_ value: Value, at path: [Step], into root: FieldNode) throws(GatewayError) {
        guard path.count <= ShapeField.mostLevels else {
            throw GatewayError.badRequest("a field is nested deeper than \(ShapeField.mostLevels) levels")
        }
        var node = root
        for (index, step) in path.enumerated() {
            let isLast = index == path.count - 1
            if case .key(let key) = step, node.kind == .object, let known = node.child(key) {
                node = known
                if isLast { try again(value, node) }
                continue
            }
            let fresh =
                isLast ? FieldNode(.leaf, value) : FieldNode(path[index + 1] == .next ? .list : .object)
            switch (step, node.kind) {
            case (.next, .list): node.children.append(fresh)
            case (.key(let key), .object): node.add(fresh, under: key)
            default: throw FieldNester.conflict
            }
            node = fresh
        }
    }

    private func again(_ value: Value, _ node: FieldNode) throws(GatewayError) {
        switch node.kind {
        case .leaf:
            node.children = [FieldNode(.leaf, node.value)]
            node.kind = .list
        case .list: break
        case .object: throw FieldNester.conflict
        }
        node.children.append(FieldNode(.leaf, value))
    }

    private static let conflict = GatewayError.badRequest(
        "two fields contradict each other: one is a plain value, the other has parts")
}

/// A JSON value under construction; a class, so that growing it copies nothing.
private final class FieldNode {
    enum Kind { case leaf, list, object }
    var kind: Kind
    let value: Value
    var children: [FieldNode] = []
    private var keys: [[UInt8]] = []
    private var positions: [[UInt8]: Int] = [:]

    init(_ kind: Kind, _ value: Value = .null) {
        self.kind = kind
        self.value = value
    }

    func child(_ key: [UInt8]) -> FieldNode? { positions[key].map { children[$0] } }

    func add(_ child: FieldNode, under key: [UInt8]) {
        positions[key] = keys.count
        keys.append(key)
        children.append(child)
    }

    /// Keys that count from 0 up: a list written with its indices.
    private var isNumbered: Bool {
        !keys.isEmpty && keys.indices.allSatisfy { keys[$0] == Array(String($0).utf8) }
    }

    func append(to output: inout [UInt8], isRoot: Bool = false) {
        guard kind != .leaf else { return value.appendJSON(to: &output) }
        let isList = kind == .list || (!isRoot && isNumbered)
        output.append(isList ? 0x5B : 0x7B)
        for (index, child) in children.enumerated() {
            if index > 0 { output.append(0x2C) }
            if !isList {
                EnvelopeText.append(keys[index], to: &output)
                output.append(0x3A)
            }
            child.append(to: &output)
        }
        output.append(isList ? 0x5D : 0x7D)
    }
}
