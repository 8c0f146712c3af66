import Bytes
import JSONBytes

extension JSONText {
    /// Cuts the members at these places out; every byte outside of their objects stays. Nil when nothing had to go or the
    /// text is no object.
    static func dropping(_ places: [JSONPlace], from text: [UInt8]) -> [UInt8]? {
        var result = text
        var dropped = false
        for group in JSONPlace.groups(places, { $0 }) {
            let names = group.items.map(\.name)
            // A name that comes twice is one object too many: attaching refuses that.
            guard let object = object(at: group.parents, in: result), let kept = dropping(names, from: object) else {
                continue
            }
            result.replaceSubrange(object.startOffset..<object.endOffset, with: kept)
            dropped = true
        }
        return dropped ? result : nil
    }

    private static func dropping(_ names: [[UInt8]], from object: JSONValue) -> [UInt8]? {
        var writer = JSONWriter()
        var dropped = false
        writer.beginObject()
        for member in object.members {
            let key = member.key.text ?? []
            if OwnedFields.contains(names, key.span) {
                dropped = true
            } else {
                writer.rawKey(Array(member.key.raw) + [0x3A])
                let value = member.value.raw
                writer.raw(value.span)
            }
        }
        writer.endObject()
        return dropped ? writer.bytes : nil
    }

    private static func object(at path: [[UInt8]], in text: [UInt8]) -> JSONValue? {
        guard var value = try? JSONDocument(parsing: text).root else { return nil }
        for step in path {
            guard let inner = value.member(step.span) else { return nil }
            value = inner
        }
        return value.kind == .object ? value : nil
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
