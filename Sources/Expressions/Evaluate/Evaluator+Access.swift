import Bytes
import JSONBytes

/// Looking into values: fields, members, indices, with and without optionals.
extension Evaluator {
    mutating func member(_ operand: Node, _ index: Int, _ at: Int) throws(EvaluationError) -> Value {
        let value = try value(of: operand)
        guard case .object(let object) = value else { throw mismatch(at, value) }
        do { return try object.member(index) } catch { throw error.located(at: at) }
    }

    mutating func field(_ operand: Node, _ name: Node.FieldName, _ at: Int) throws(EvaluationError) -> Value {
        let value = try value(of: operand)
        if case .optional(let inner) = value {
            guard let inner else { return value }
            return .optional(try find(name.bytes, in: inner, at))
        }
        guard let found = try find(name.bytes, in: value, at) else {
            throw EvaluationError(.noSuchKey, name.text, at: at)
        }
        return found
    }

    func pairPart(_ slot: Int, _ isValue: Bool, _ at: Int) throws(EvaluationError) -> Value {
        guard case .pair(let record) = slots[slot] else { throw mismatch(at, slots[slot]) }
        return .string(isValue ? record.value : record.name)
    }

    mutating func optionalField(_ operand: Node, _ name: Node.FieldName, _ at: Int) throws(EvaluationError) -> Value {
        guard let value = try host(operand, name) else { return .optional(nil) }
        return .optional(try optionally(name, in: value, at))
    }

    mutating func hasField(_ operand: Node, _ name: Node.FieldName, _ at: Int) throws(EvaluationError) -> Bool {
        guard let value = try host(operand, name) else { return false }
        if case .optional(let inner) = value {
            return try optionally(name, in: inner ?? .null, at) != nil
        }
        return try find(name, in: value, at) != nil
    }

    /// What is looked into. `nil`: a thing of the host that is not there now, such as the session of a guest, which has no
    /// members then.
    private mutating func host(_ operand: Node, _ name: Node.FieldName) throws(EvaluationError) -> Value? {
        do {
            return try value(of: operand)
        } catch {
            guard name.member != nil, error.kind == .unavailable else { throw error }
            return nil
        }
    }

    /// As `find`, and nothing where there is nothing to look into: null, an empty optional, a JSON value that is no
    /// object (servers send `"result": ""` or `"result": []` for "none").
    private mutating func optionally(
        _ name: Node.FieldName, in value: Value, _ at: Int
    ) throws(EvaluationError) -> Value? {
        switch value {
        case .null, .optional(nil): return nil
        case .optional(.some(let inner)): return try optionally(name, in: inner, at)
        case .json(let json) where json.kind != .object: return nil
        default: return try find(name, in: value, at)
        }
    }

    /// A look-up goes over names, or elements, one by one, except in a map.
    mutating func charge(lookingInto value: Value) throws(EvaluationError) {
        switch value {
        case .pairs(let block, _): try charge(block.count >> 3)
        case .json(let json): try charge(json.mostCount >> 3)
        default: break
        }
    }

    private mutating func find(_ name: Node.FieldName, in value: Value, _ at: Int) throws(EvaluationError) -> Value? {
        guard let member = name.member, case .object(let object) = value else {
            return try find(name.bytes, in: value, at)
        }
        do {
            // A capture that the login did not bring is null; a variable that stands below is not available yet.
            let value = try object.member(member)
            return value.isAbsent ? nil : value
        } catch {
            if error.kind == .unavailable { return nil }
            throw error.located(at: at)
        }
    }

    private mutating func find(
        _ name: ArraySlice<UInt8>, in value: Value, _ at: Int
    ) throws(EvaluationError) -> Value? {
        try charge(lookingInto: value)
        switch value {
        case .pairs: return value.lookup(name)
        case .object(let object):
            do {
                if let index = object.objectType.index(of: name) { return try object.member(index) }
                return object.objectType.dynamic == nil ? nil : try object.member(named: name)
            } catch { throw error.located(at: at) }
        default:
            guard value.isMap else { throw mismatch(at, value) }
            return value.lookup(name)
        }
    }

    mutating func index(_ operand: Node, _ key: Node, _ at: Int) throws(EvaluationError) -> Value {
        let (container, place) = (try value(of: operand), try value(of: key))
        if case .optional(let inner) = container {
            guard let inner else { return container }
            return .optional(try element(place, of: inner, at))
        }
        guard let found = try element(place, of: container, at) else {
            if container.isList, place.string == nil { throw EvaluationError(.indexOutOfRange, at: at) }
            // A name from the source may be told; one that was computed may be a secret.
            guard case .constant(.string(let name)) = key else { throw EvaluationError(.noSuchKey, at: at) }
            throw EvaluationError(.noSuchKey, String(decoding: name, as: UTF8.self), at: at)
        }
        return found
    }

    mutating func optionalIndex(_ operand: Node, _ key: Node, _ at: Int) throws(EvaluationError) -> Value {
        let (container, key) = (try value(of: operand), try value(of: key))
        switch container {
        case .null, .optional(nil): return .optional(nil)
        case .optional(.some(let inner)): return .optional(try element(key, of: inner, at))
        case .json(let json) where json.kind != .object && json.kind != .array: return .optional(nil)
        default: return .optional(try element(key, of: container, at))
        }
    }

    private mutating func element(_ key: Value, of container: Value, _ at: Int) throws(EvaluationError) -> Value? {
        try meter.charge(key, .comparison)
        if container.isList { try charge(lookingInto: container) }
        if case .map(let map) = container {
            guard MapValue.Key(key) != nil else { throw mismatch(at, container, key) }
            return map[key]
        }
        if container.isList {
            switch key.resolved {
            case .int(let index): return container.element(at: Int(index))
            case .uint(let index): return Int(exactly: index).flatMap { container.element(at: $0) }
            case .double(let index):
                guard let exact = Int(exactly: index) else { throw mismatch(at, container, key) }
                return container.element(at: exact)
            case .string(let name):
                if case .pairs = container { return container.lookup(name) }
                throw mismatch(at, container, key)
            default: throw mismatch(at, container, key)
            }
        }
        guard let name = key.string else {
            guard container.isMap, MapValue.Key(key) != nil else { throw mismatch(at, container, key) }
            return nil
        }
        return try find(name, in: container, at)
    }
}
