import Bytes
import JSONBytes

extension JSONText {
    /// Cuts the members at these places out, wherever a reader that ignores the case finds them; every byte outside of their
    /// objects stays. An element of a list becomes null. Nil when nothing had to go or the text is no object.
    static func dropping(_ places: [JSONPlace], from text: [UInt8]) -> [UInt8]? {
        guard let root = try? JSONDocument(parsing: text).root, root.kind == .object,
            let kept = kept(of: root, without: places.map { $0.way[...] })
        else { return nil }
        return Array(text[..<root.startOffset]) + kept + text[root.endOffset...]
    }

    /// An object or a list without what stands at these ways into it; nil when nothing does. Ways are as short as places are.
    private static func kept(of value: JSONValue, without ways: [ArraySlice<[UInt8]>]) -> [UInt8]? {
        switch value.kind {
        case .object: return kept(ofObject: value, without: ways)
        case .array: return cleared(value, at: ways)
        case .null, .bool, .number, .string: return nil
        }
    }

    private static func kept(ofObject object: JSONValue, without ways: [ArraySlice<[UInt8]>]) -> [UInt8]? {
        var members: [(member: JSONMember, value: [UInt8]?)] = []
        var drops = false
        for member in object.members {
            let key = Array(member.key.text ?? [])
            let here = ways.filter { $0.first.map { OwnedNames.equalInJSON($0, key) } ?? false }
            if here.contains(where: { $0.count == 1 }) {
                drops = true
            } else {
                let inner = here.isEmpty ? nil : kept(of: member.value, without: here.map { $0.dropFirst() })
                members.append((member, inner))
            }
        }
        guard drops else {
            return replacing(members.compactMap { item in item.value.map { (item.member.value, $0) } }, in: object)
        }
        var writer = JSONWriter()
        writer.beginObject()
        for (member, value) in members {
            writer.rawKey(Array(member.key.raw) + [0x3A])
            let value = value ?? Array(member.value.raw)
            writer.raw(value.span)
        }
        writer.endObject()
        return writer.bytes
    }

    /// An element does not go, or those behind it would move up: it is null until the gateway's own takes its place.
    private static func cleared(_ list: JSONValue, at ways: [ArraySlice<[UInt8]>]) -> [UInt8]? {
        var changes: [(value: JSONValue, text: [UInt8])] = []
        for (index, element) in list.elements.enumerated() {
            let here = ways.filter { $0.first.flatMap { JSONPlace.position($0) } == index }
            if here.contains(where: { $0.count == 1 }) {
                if element.kind != .null { changes.append((element, Array("null".utf8))) }
            } else if !here.isEmpty, let inner = kept(of: element, without: here.map { $0.dropFirst() }) {
                changes.append((element, inner))
            }
        }
        return replacing(changes, in: list)
    }

    /// The text of an object or a list with other values in it, which stand in order; nil without any.
    private static func replacing(
        _ changes: [(value: JSONValue, text: [UInt8])], in container: JSONValue
    ) -> [UInt8]? {
        guard !changes.isEmpty else { return nil }
        var result = Array(container.raw)
        for (value, text) in changes.reversed() {
            let start = value.startOffset - container.startOffset
            result.replaceSubrange(start..<start + value.raw.count, with: text)
        }
        return result
    }

    /// Adds members at the end of their objects, and puts elements into lists; objects that are not there are made. Nil when
    /// the text is no JSON object, or something else than one object, or a list with that position, stands where one is needed.
    static func appending(_ members: [(place: JSONPlace, value: [UInt8])], to text: [UInt8]) -> [UInt8]? {
        var result = text
        for group in JSONPlace.groups(members, { $0.place }) {
            guard let next = appending(group.items, inside: group.parents[...], to: result) else { return nil }
            result = next
        }
        return result
    }

    private static func appending(
        _ members: [(place: JSONPlace, value: [UInt8])], inside path: ArraySlice<[UInt8]>, to text: [UInt8]
    ) -> [UInt8]? {
        guard var object = try? JSONDocument(parsing: text).root else { return nil }
        var missing = path
        while let step = missing.first, object.kind == .object || object.kind == .array,
            let inner = JSONPlace.inner(object, step)
        {
            // Which of two is meant, the upstream may see another way.
            if object.kind == .object, object.members.count(where: { $0.key.equals(step.span) }) > 1 { return nil }
            object = inner
            missing = missing.dropFirst()
        }
        if object.kind == .array, missing.isEmpty { return setting(members, in: object, of: text) }
        guard object.kind == .object else { return nil }
        var added: [UInt8] = object.count > 0 ? [0x2C] : []
        for step in missing {
            appendName(step, to: &added)
            added.append(0x7B)
        }
        for (index, member) in members.enumerated() {
            if index > 0 { added.append(0x2C) }
            appendName(member.place.name, to: &added)
            added += member.value
        }
        added += Array(repeating: 0x7D, count: missing.count)
        let end = object.endOffset - 1
        return Array(text[object.document.root.startOffset..<end]) + added + text[end..<object.document.root.endOffset]
    }

    /// Elements at positions that the list has; nil when it is shorter.
    private static func setting(
        _ members: [(place: JSONPlace, value: [UInt8])], in list: JSONValue, of text: [UInt8]
    ) -> [UInt8]? {
        var changes: [(value: JSONValue, text: [UInt8])] = []
        for member in members {
            guard let element = JSONPlace.inner(list, member.place.name) else { return nil }
            changes.append((element, member.value))
        }
        changes.sort { $0.value.startOffset < $1.value.startOffset }
        let root = list.document.root
        return replacing(changes, in: list).map {
            Array(text[root.startOffset..<list.startOffset]) + $0 + text[list.endOffset..<root.endOffset]
        }
    }

    private static func appendName(_ name: [UInt8], to output: inout [UInt8]) {
        output.append(0x22)
        JSONText.appendEscaped(name.span, to: &output)
        output += [0x22, 0x3A]
    }
}
