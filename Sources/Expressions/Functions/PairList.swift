import Bytes
import JSONBytes

/// Reading and rebuilding lists of names and values, the stuff of most signatures.
enum PairList {
    static let nameKey = ArraySlice("name".utf8)
    static let valueKey = ArraySlice("value".utf8)

    /// Fields of a request as they are; records `{name, value}`; a map or a JSON object by its members. A value that is no
    /// string counts as its text, a list or a map as JSON.
    static func block(_ value: Value) throws(EvaluationError) -> PairBlock {
        if case .pairs(let block, _) = value { return block }
        if let map = value.asMap { return members(map) }
        guard let elements = value.elements else { throw .overload(value) }
        var block = PairBlock()
        var text: [UInt8] = []
        for element in elements {
            if case .pair(let record) = element {
                let (name, content) = (record.name, record.value)
                block.append(name: name.span, value: content.span)
                continue
            }
            guard let name = element.lookup(nameKey)?.string, let content = element.lookup(valueKey) else {
                throw .overload(element)
            }
            text.removeAll(keepingCapacity: true)
            content.appendText(to: &text)
            block.append(name: name.span, value: text.span)
        }
        return block
    }

    private static func members(_ map: MapValue) -> PairBlock {
        var block = PairBlock()
        var (name, text): ([UInt8], [UInt8]) = ([], [])
        for entry in map.entries {
            name.removeAll(keepingCapacity: true)
            text.removeAll(keepingCapacity: true)
            entry.key.appendText(to: &name)
            entry.value.appendText(to: &text)
            block.append(name: name.span, value: text.span)
        }
        return block
    }

    /// Names are compared without case where the fields are header fields.
    static func folds(_ value: Value) -> Bool {
        if case .pairs(_, let folding) = value { folding } else { false }
    }

    /// Each name and each value changed; nil stays.
    static func mapped(
        _ block: PairBlock, name: (([UInt8]) -> [UInt8])? = nil, value: (([UInt8]) -> [UInt8])? = nil
    ) -> PairBlock {
        var result = PairBlock()
        result.reserve(bytes: block.bytes.count, entries: block.count)
        for index in 0..<block.count {
            let (oldName, oldValue) = (Array(block.name(at: index)), Array(block.value(at: index)))
            let (newName, newValue) = (name?(oldName) ?? oldName, value?(oldValue) ?? oldValue)
            result.append(name: newName.span, value: newValue.span)
        }
        return result
    }

    /// By name, then by value, as bytes; equal ones stay in their order.
    static func sorted(_ block: PairBlock) -> PairBlock {
        var block = block
        block.sort { a, b, bytes in
            let names = Value.order(bytes.extracting(a.names), bytes.extracting(b.names))
            if names != .equal { return names == .greater }
            return Value.order(bytes.extracting(a.values), bytes.extracting(b.values)) == .greater
        }
        return block
    }

    /// Fields of one name become one, at the place of the first.
    static func merged(_ block: PairBlock, separator: ArraySlice<UInt8>, folding: Bool) -> PairBlock {
        var fields: [(name: ArraySlice<UInt8>, value: [UInt8])] = []
        var places: [[UInt8]: Int] = [:]
        for index in 0..<block.count {
            let name = block.name(at: index)
            let key = folding ? name.map(ASCII.lower) : Array(name)
            if let place = places[key] {
                fields[place].value += separator
                fields[place].value += block.value(at: index)
            } else {
                places[key] = fields.count
                fields.append((name, Array(block.value(at: index))))
            }
        }
        var result = PairBlock()
        for field in fields { result.append(name: field.name.span, value: field.value.span) }
        return result
    }

    static func joined(_ block: PairBlock, _ between: ArraySlice<UInt8>, _ separator: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(block.bytes.count + block.count * (between.count + separator.count))
        for index in 0..<block.count {
            if index > 0 { output.append(copying: separator.span) }
            let (name, value) = (block.name(at: index), block.value(at: index))
            output.append(copying: name.span)
            output.append(copying: between.span)
            output.append(copying: value.span)
        }
        return output
    }

    /// Splits `a=1&b` and leaves both sides as they are written.
    static func raw(_ text: ArraySlice<UInt8>) -> PairBlock {
        var block = PairBlock()
        for piece in text.split(separator: UInt8(ascii: "&")) {
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            let name = piece[..<equals]
            let value = piece[equals...].dropFirst()
            block.append(name: name.span, value: value.span)
        }
        return block
    }
}
