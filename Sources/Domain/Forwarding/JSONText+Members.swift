import Bytes
import JSONBytes

extension JSONText {
    /// Cuts the members at these places out, wherever a reader that ignores the case finds them; every byte outside of their
    /// objects stays. Nil when nothing had to go or the text is no object.
    static func dropping(_ places: [JSONPlace], from text: [UInt8]) -> [UInt8]? {
        guard let root = try? JSONDocument(parsing: text).root, root.kind == .object,
            let kept = kept(of: root, without: places.map { ($0.parents + [$0.name])[...] })
        else { return nil }
        return Array(text[..<root.startOffset]) + kept + text[root.endOffset...]
    }

    /// An object without what stands at these ways into it; nil when nothing does. Ways are as short as places are.
    private static func kept(of object: JSONValue, without ways: [ArraySlice<[UInt8]>]) -> [UInt8]? {
        var members: [(member: JSONMember, value: [UInt8]?)] = []
        var drops = false
        for member in object.members {
            let key = Array(member.key.text ?? [])
            let here = ways.filter { $0.first.map { OwnedNames.equalInJSON($0, key) } ?? false }
            if here.contains(where: { $0.count == 1 }) {
                drops = true
            } else {
                let isWay = !here.isEmpty && member.value.kind == .object
                members.append((member, isWay ? kept(of: member.value, without: here.map { $0.dropFirst() }) : nil))
            }
        }
        guard drops else { return replacing(members, in: object) }
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

    private static func replacing(
        _ members: [(member: JSONMember, value: [UInt8]?)], in object: JSONValue
    ) -> [UInt8]? {
        var result = Array(object.raw)
        var replaced = false
        for (member, value) in members.reversed() {
            guard let value else { continue }
            let start = member.value.startOffset - object.startOffset
            result.replaceSubrange(start..<start + member.value.raw.count, with: value)
            replaced = true
        }
        return replaced ? result : nil
    }

    /// Adds members at the end of their objects; objects that are not there are made. Nil when the text is no JSON object,
    /// or something else than one object stands where one is needed.
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
        while object.kind == .object, let step = missing.first, let inner = object.member(step.span) {
            // Which of two is meant, the upstream may see another way.
            guard object.members.count(where: { $0.key.equals(step.span) }) == 1 else { return nil }
            object = inner
            missing = missing.dropFirst()
        }
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

    private static func appendName(_ name: [UInt8], to output: inout [UInt8]) {
        output.append(0x22)
        JSONText.appendEscaped(name.span, to: &output)
        output += [0x22, 0x3A]
    }
}
