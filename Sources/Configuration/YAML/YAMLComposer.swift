/// Builds the tree from events, with a stack instead of recursion so that hostile nesting costs no call stack.
struct YAMLComposer {
    private struct Frame {
        var isMapping: Bool
        var position: SourcePosition
        var anchor: String?
        var items: [YAMLNode] = []
        var entries: [YAMLEntry] = []
        /// Key that waits for its value.
        var key: (text: String, position: SourcePosition, isDropped: Bool)?
        /// Line of each key.
        var lines: [String: Int] = [:]
        var weight = 1
        var height = 1
    }

    private let issues: IssueSink
    private var frames: [Frame] = []
    private var anchors: [String: YAMLNode] = [:]
    private var root: YAMLNode?
    private var documents = 0

    init(issues: IssueSink) { self.issues = issues }

    /// Reads to the end, or to the first problem after which going on makes no sense (`nil` then).
    mutating func compose(_ reader: YAMLEventReader) throws(YAMLFault) -> YAMLNode? {
        while true {
            let event = try reader.next()
            if event.hasTag {
                report(
                    "tags are not supported",
                    hint: "a value takes the type its key wants; an expression that begins with `!` needs quotes", event
                )
            }
            switch event.kind {
            case .streamStart, .documentEnd: continue
            case .streamEnd: return root
            case .documentStart:
                documents += 1
                if documents > 1 {
                    report("a second document", hint: "one file holds one config; remove the line ---", event)
                    return nil
                }
            default:
                guard take(event) else { return nil }
            }
        }
    }

    /// By index: a copy of the frame would make the next change of it copy all that it holds.
    private var awaitsKey: Bool {
        guard let last = frames.indices.last else { return false }
        return frames[last].isMapping && frames[last].key == nil
    }

    /// False stops the reading.
    private mutating func take(_ event: YAMLEvent) -> Bool {
        switch event.kind {
        case .sequenceStart, .mappingStart: return open(event)
        case .sequenceEnd, .mappingEnd: return close()
        case .alias(let name): return alias(name, event)
        case .scalar(let scalar):
            if awaitsKey {
                key(scalar, event)
                return true
            }
            let node = YAMLNode(content: .scalar(scalar), position: event.position, weight: 1, height: 0)
            return add(node, anchor: event.anchor)
        case .streamStart, .streamEnd, .documentStart, .documentEnd: return true
        }
    }

    private mutating func open(_ event: YAMLEvent) -> Bool {
        if awaitsKey {
            report("a key must be a single value", event)
            return false
        }
        guard frames.count < YAMLDocument.deepest else {
            report("nested more than \(YAMLDocument.deepest) levels deep", event)
            return false
        }
        var isMapping = false
        if case .mappingStart = event.kind { isMapping = true }
        frames.append(Frame(isMapping: isMapping, position: event.position, anchor: event.anchor))
        return true
    }

    private mutating func close() -> Bool {
        guard let frame = frames.popLast() else { return false }
        let content: YAMLNode.Content = frame.isMapping ? .mapping(frame.entries) : .sequence(frame.items)
        let node = YAMLNode(content: content, position: frame.position, weight: frame.weight, height: frame.height)
        return add(node, anchor: frame.anchor)
    }

    private mutating func alias(_ name: String, _ event: YAMLEvent) -> Bool {
        if awaitsKey {
            report("a key must be a single value", event)
            return false
        }
        guard let node = anchors[name] else {
            // An anchor is known once its node is complete, so a node cannot hold itself.
            let hint = Suggestion.hint(for: name, among: anchors.keys.sorted())
            report("no finished anchor named \(Quoted.text(name))", hint: hint, event)
            return false
        }
        guard frames.count + node.height <= YAMLDocument.deepest else {
            report("nested more than \(YAMLDocument.deepest) levels deep", event)
            return false
        }
        return add(node, anchor: nil)
    }

    private mutating func key(_ scalar: YAMLScalar, _ event: YAMLEvent) {
        let last = frames.count - 1
        let isMerge = scalar.text == "<<" && scalar.style == .plain
        let line = frames[last].lines[scalar.text]
        if isMerge {
            report("merge keys are not supported", hint: "write the keys out, or use an alias as a whole value", event)
        }
        frames[last].key = (scalar.text, event.position, isMerge || line != nil)
        if let line, !isMerge {
            report("already set on line \(line)", event)
        } else {
            frames[last].lines[scalar.text] = event.position.line
        }
    }

    /// Hands a finished node to its parent.
    private mutating func add(_ node: YAMLNode, anchor: String?) -> Bool {
        if let anchor { anchors[anchor] = node }
        guard !frames.isEmpty else {
            root = node
            return true
        }
        let last = frames.count - 1
        frames[last].weight += node.weight
        frames[last].height = max(frames[last].height, node.height + 1)
        guard frames[last].weight <= YAMLDocument.mostNodes else {
            issues.report(
                "more than \(YAMLDocument.mostNodes) values (aliases counted in full)", at: node.position, path: path)
            return false
        }
        if !frames[last].isMapping {
            frames[last].items.append(node)
        } else if let key = frames[last].key.take() {
            if !key.isDropped {
                frames[last].entries.append(YAMLEntry(key: key.text, keyPosition: key.position, value: node))
            }
        }
        return true
    }

    private func report(_ problem: String, hint: String? = nil, _ event: YAMLEvent) {
        issues.report(problem, hint: hint, at: event.position, path: path)
    }

    /// Path of what is being read.
    private var path: String {
        var path = ""
        for frame in frames {
            if !frame.isMapping {
                path = Cursor.path(path, index: frame.items.count)
            } else if let key = frame.key {
                path = Cursor.path(path, key: key.text)
            }
        }
        return path
    }
}
