import Bytes
import JSONBytes

extension JSONText {
    /// Cuts the members with these names out of the object at the root; every other byte stays. Nil when nothing had to go
    /// or the text is no object.
    static func dropping(_ names: [[UInt8]], from text: [UInt8]) -> [UInt8]? {
        guard !names.isEmpty, let root = try? JSONDocument(parsing: text).root, root.kind == .object else { return nil }
        var writer = JSONWriter()
        var dropped = false
        writer.beginObject()
        for member in root.members {
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

    /// Adds members at the end of the object at the root. Nil when the text is no JSON object.
    static func appending(_ members: [(name: [UInt8], value: [UInt8])], to text: [UInt8]) -> [UInt8]? {
        guard let root = try? JSONDocument(parsing: text).root, root.kind == .object else { return nil }
        let object = root.raw
        var result = Array(object.dropLast())
        var needsComma = root.count > 0
        for member in members {
            if needsComma { result.append(0x2C) }
            needsComma = true
            result.append(0x22)
            JSONText.appendEscaped(member.name.span, to: &result)
            result.append(0x22)
            result.append(0x3A)
            result.append(contentsOf: member.value)
        }
        result.append(0x7D)
        return result
    }
}
