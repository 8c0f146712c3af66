import Bytes
import JSONBytes

/// Looking into values that have parts: lists, maps and the views that behave like them.
extension Value {
    /// The value of a JSON scalar; `nil` for arrays, objects and numbers beyond every numeric type. An integral
    /// token is an int, or a uint, or (20 digits and more) the nearest double.
    static func scalar(_ json: JSONValue) -> Value? {
        switch json.kind {
        case .null: return .null
        case .bool: return .bool(json.boolValue ?? false)
        case .string: return json.text.map { .string($0) }
        case .number:
            if let number = json.int64 { return .int(number) }
            if let number = json.uint64 { return .uint(number) }
            return json.double.map { .double($0) }
        case .array, .object: return nil
        }
    }

    static func typeName(of json: JSONValue) -> TypeName {
        switch json.kind {
        case .array: .list
        case .object: .map
        default: Value.scalar(json)?.typeName ?? .double
        }
    }

    /// Number of elements of a list, entries of a map, bytes, or code points of a string; `nil` for other types.
    var size: Int? {
        switch self {
        case .string(let text): Value.codePoints(text)
        case .bytes(let bytes): bytes.count
        case .list(let elements): elements.count
        case .map(let map): map.count
        case .pairs(let block, _): block.count
        case .pair: 2
        case .json(let json):
            switch json.kind {
            case .array, .object: json.count
            case .string: json.text.map(Value.codePoints)
            default: nil
            }
        default: nil
        }
    }

    static func codePoints(_ text: ArraySlice<UInt8>) -> Int {
        var count = 0
        let span = text.span
        for index in span.indices where span[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }

    /// Whether this behaves as a list.
    var isList: Bool {
        switch self {
        case .list, .pairs: true
        case .json(let json): json.kind == .array
        default: false
        }
    }

    /// Whether this behaves as a map.
    var isMap: Bool {
        switch self {
        case .map, .pair: true
        case .json(let json): json.kind == .object
        default: false
        }
    }

    /// Element of a list; `nil` when out of range or no list.
    func element(at index: Int) -> Value? {
        switch self {
        case .list(let elements): elements.indices.contains(index) ? elements[index] : nil
        case .pairs(let block, _): index >= 0 && index < block.count ? .pair(block.record(at: index)) : nil
        case .json(let json): json.element(at: index).map { .json($0) }
        default: nil
        }
    }

    /// All elements of a list; `nil` for other types.
    var elements: [Value]? {
        if case .list(let elements) = self { return elements }
        guard isList, var cursor = ElementCursor(self) else { return nil }
        var result: [Value] = []
        while let element = cursor.next() { result.append(element) }
        return result
    }

    /// Value under a string key: of a map, a JSON object, a record, or the first pair with that name.
    package func lookup(_ name: ArraySlice<UInt8>) -> Value? {
        switch self {
        case .map(let map): return map[string: name]
        case .json(let json):
            return json.kind == .object ? json.member(name.span).map { .json($0) } : nil
        case .pairs(let block, let folding):
            return block.firstIndex(of: name.span, folding: folding).map { .string(block.value(at: $0)) }
        case .pair(let record):
            if name.count == 4, name.elementsEqual("name".utf8) { return .string(record.name) }
            if name.count == 5, name.elementsEqual("value".utf8) { return .string(record.value) }
            return nil
        default: return nil
        }
    }

    /// The entries of a map in its own form; `nil` for other types.
    var asMap: MapValue? {
        switch self {
        case .map(let map): return map
        case .json(let json) where json.kind == .object:
            var map = MapValue()
            for member in json.members {
                // The first of several members with one name counts, as everywhere.
                guard let key = member.key.text, map[string: key] == nil else { continue }
                _ = map.insert(.json(member.value), for: .string(key))
            }
            return map
        case .pair(let record):
            return MapValue([("name", .string(record.name)), ("value", .string(record.value))])
        default: return nil
        }
    }

    /// A map without these keys; `nil` for other types.
    func omitting(_ names: Set<ArraySlice<UInt8>>) -> Value? {
        guard let map = asMap else { return nil }
        var rest = MapValue()
        for entry in map.entries {
            if let name = entry.key.string, names.contains(name) { continue }
            _ = rest.insert(entry.value, for: entry.key)
        }
        return .map(rest)
    }
}
