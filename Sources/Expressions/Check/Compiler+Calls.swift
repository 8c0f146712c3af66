/// Function calls: macros first, then dotted functions, members that can be called like one, and member functions.
extension Compiler {
    mutating func call(_ target: Syntax?, _ name: String, _ arguments: [Syntax], at: Int) -> Typed {
        guard let target else { return globalCall(name, arguments, at: at) }
        if Macro.comprehensions.contains(name), let result = comprehension(target, name, arguments, at: at) {
            return result
        }
        if let root = target.root, let path = target.path, !isLocal(root) {
            if path == "cel", name == "bind" { return bind(arguments, at: at) }
            let functions = scope.functions.named("\(path).\(name)", isMember: false)
            if !functions.isEmpty { return apply(functions, "\(path).\(name)", arguments.map { compile($0) }, at: at) }
            if scope.index(of: root) == nil, scope.functions.isNamespace(path) {
                return unknownFunction("\(path).\(name)", isMember: false, at: at)
            }
        }
        if case .constant(.string(let key))? = arguments.first?.kind {
            let member = Syntax(.select(target, field: name, isOptional: false), at: at, above: [target])
            note(member, String(decoding: key, as: UTF8.self))
            checkKey(member, String(decoding: key, as: UTF8.self), at: at)
        }
        let receiver = operand(target, member: name)
        if let result = callableMember(receiver, name, arguments, at: at) { return result }
        let functions = scope.functions.named(name, isMember: true)
        guard !functions.isEmpty else {
            return lookUp(target, name, arguments, receiver, at: at)
                ?? unknownFunction(name, isMember: true, at: at)
        }
        if case .name(let root) = target.kind, references.remove(Reference(root, name)) != nil {
            references.insert(Reference(root))
        }
        return apply(functions, name, [receiver] + arguments.map { compile($0) }, at: at)
    }

    /// `request.query("a")`: a look-up by name that looks like a call.
    private mutating func callableMember(
        _ receiver: Typed, _ name: String, _ arguments: [Syntax], at: Int
    ) -> Typed? {
        guard case .object(let object) = receiver.type, let index = object.index(of: name), arguments.count == 1,
            isCallable(object.members[index].type)
        else { return nil }
        let member = Typed(node: .member(receiver.node, index: index, at: at), type: object.members[index].type)
        return self.index(member, compile(arguments[0]), isOptional: false, at: at)
    }

    /// `vars.own("a")`, written as the look-ups of pairs may be: an issue with the form that every map has.
    private mutating func lookUp(
        _ target: Syntax, _ name: String, _ arguments: [Syntax], _ receiver: Typed, at: Int
    ) -> Typed? {
        guard let key = arguments.first?.text, arguments.count == 1, let path = target.path,
            !Macro.comprehensions.contains(name), scope.functions.named(name, isMember: false).isEmpty
        else { return nil }
        switch receiver.type {
        case .object(let object) where object.index(of: name) != nil: break
        case .dyn, .map:
            // A function with a slip in its name, more likely.
            if Suggestion.hint(for: name, among: scope.functions.names(isMember: true)) != nil { return nil }
        default: return nil
        }
        return report("unknown function `\(name)`", hint: "write `\(path).\(name)[\"\(key)\"]`", at: at)
    }

    private func isCallable(_ type: StaticType) -> Bool {
        switch type {
        case .pairs, .map, .list: true
        default: false
        }
    }

    /// What to sign instead of a body made a text.
    static let bodyHint = "in what is signed, write `bytes(...) + request.body`"

    private mutating func globalCall(_ name: String, _ arguments: [Syntax], at: Int) -> Typed {
        if name == "has" { return presence(arguments, at: at) }
        if name == "string", arguments.count == 1, arguments[0].path == "request.body" {
            remarks.append(
                ExpressionIssue(
                    "`string(request.body)` fails for a body that is no text", hint: Self.bodyHint, at: at))
        }
        let functions = scope.functions.named(name, isMember: false)
        if functions.isEmpty, arguments.count == 1, isLocal(name) || scope.index(of: name) != nil {
            let base = self.name(name, member: nil, at: at)
            if isCallable(base.type) { return index(base, compile(arguments[0]), isOptional: false, at: at) }
        }
        guard !functions.isEmpty else { return unknownFunction(name, isMember: false, at: at) }
        return apply(functions, name, arguments.map { compile($0) }, at: at)
    }

    private mutating func unknownFunction(_ name: String, isMember: Bool, at: Int) -> Typed {
        var hint: String?
        if isMember, !scope.functions.named(name, isMember: false).isEmpty {
            hint = "write `\(name)(x)`, not `x.\(name)()`"
        } else if !isMember, !scope.functions.named(name, isMember: true).isEmpty || Macro.comprehensions.contains(name)
        {
            hint = "write `x.\(name)(...)`"
        } else {
            let macros = isMember ? Macro.comprehensions.sorted() : ["has", "cel.bind"]
            hint =
                Suggestion.hint(for: name, among: scope.functions.names(isMember: isMember) + macros)
                ?? functionHint(for: name)
        }
        return report("unknown function `\(name)`", hint: hint, at: at)
    }

    /// For a word that is no function and near none: functions of a namespace with that name, or behind any namespace, and
    /// what other languages call ours.
    private func functionHint(for name: String) -> String? {
        if ["len", "length", "count", "strlen"].contains(name) { return "write `size(x)`" }
        let wanted = name.lowercased()
        let dotted = scope.functions.names(isMember: false).filter { full in
            let parts = full.split(separator: ".").map { $0.lowercased() }
            return parts.count == 2 && (parts[1] == wanted || parts[0] == wanted)
        }
        if !dotted.isEmpty {
            return "did you mean \(dotted.prefix(6).map { "`\($0)`" }.joined(separator: ", "))?"
        }
        let members = [
            "lower": "lowerAscii", "upper": "upperAscii", "strip": "trim", "concat": "join", "sub": "substring",
        ]
        return members.first { wanted.contains($0.key) }.map { "write `x.\($0.value)(...)`" }
    }

    private mutating func apply(_ functions: [Function], _ name: String, _ arguments: [Typed], at: Int) -> Typed {
        let types = arguments.map(\.type)
        let candidates = functions.filter { $0.signatures.contains { $0.accepts(count: types.count) } }
        let shown = functions.flatMap { $0.signatures.map { "`\($0.text)`" } }.joined(separator: ", ")
        guard !candidates.isEmpty else {
            let count = types.count - (functions[0].isMember ? 1 : 0)
            return report("`\(name)` does not take \(count) argument\(count == 1 ? "" : "s")", hint: shown, at: at)
        }
        for function in candidates {
            let fitting = function.signatures.filter { $0.accepts(types) }
            guard let first = fitting.first else { continue }
            let result = fitting.dropFirst().reduce(first.result(for: types)) { $0.joined(with: $1.result(for: types)) }
            return build(function, arguments, type: result, at: at)
        }
        let given = types.map(\.name).joined(separator: ", ")
        return report("`\(name)` does not take (\(given))", hint: shown, at: at)
    }

    private mutating func build(_ function: Function, _ arguments: [Typed], type: StaticType, at: Int) -> Typed {
        called.insert(function.name)
        if function.name == "matches", let constant = arguments.last?.node.constant {
            guard case .string(let source) = constant else { return report("a pattern is a string", at: at) }
            do {
                return Typed(node: .matches(arguments[0].node, try Pattern(source), at: at), type: .bool)
            } catch {
                return report("bad pattern: \(error.message)", at: at)
            }
        }
        if function.name.hasPrefix("regex."), case .string(let source)? = arguments[1].node.constant {
            do {
                _ = try PatternSearch(source)
            } catch {
                return report("bad pattern: \(error.message)", at: at)
            }
        }
        var known: Value?
        if let check = function.check, !isUnreached {
            do throws(EvaluationError) {
                var meter = Meter(steps: steps)
                known = try check(arguments.map { self.known($0) }, &meter)
            } catch {
                // A type that does not fit has no words of its own: the names of types say nothing without the kind.
                let problem =
                    error.subject.isEmpty || error.kind == .noSuchOverload ? error.description : error.subject
                let hint =
                    error.kind == .noSuchOverload
                    ? function.signatures.map { "`\($0.text)`" }.joined(separator: ", ") : nil
                return report("`\(function.name)` can never work here: \(problem)", hint: hint, at: at)
            }
        }
        let nodes = arguments.map(\.node)
        let isFollowed = scope.functions.isRecording && !nodes.allSatisfy { isKnown($0) }
        let node: Node =
            switch function.body {
            case .transform(let transform) where !isFollowed: .transformed(transform, function.cost, nodes[0], at: at)
            case .join: .joined(nodes[0], separator: nodes.count > 1 ? nodes[1] : nil, at: at)
            case .nullary, .unary, .binary, .variadic, .metered, .transform:
                isFollowed
                    ? .followed(Followed(.called(function, nodes, at: at)))
                    : .call(function.body, function.cost, nodes, at: at)
            }
        let typed = Typed(node: node, type: type, known: known)
        return function.isPure ? folded(typed) : typed
    }
}
