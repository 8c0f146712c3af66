import Bytes

extension XMLScanner {
    func starts(_ text: StaticString) -> Bool {
        let wanted = text.bytes
        guard index + wanted.count <= bytes.count else { return false }
        for offset in wanted.indices where bytes[index + offset] != wanted[offset] { return false }
        return true
    }

    mutating func skip(past text: StaticString) throws(XMLError) {
        while index < bytes.count {
            if starts(text) {
                index += text.bytes.count
                return
            }
            index += 1
        }
        throw fault()
    }

    /// True when there was a blank.
    mutating func skipBlanks() -> Bool {
        let start = index
        while index < bytes.count, XMLText.isBlank(bytes[index]) { index += 1 }
        return index > start
    }

    mutating func count() throws(XMLError) {
        nodes += 1
        guard nodes <= limits.nodes else { throw fault(.tooMany) }
    }

    /// A name with at most one colon, inside (Namespaces in XML 1.0).
    mutating func name() throws(XMLError) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, XMLText.isNameByte(bytes[index]) { index += 1 }
        let name = bytes[start..<index]
        guard XMLText.isName(name), name.count <= limits.name else { throw fault() }
        return name
    }

    mutating func attribute() throws(XMLError) -> XMLElement.Attribute {
        let name = try name()
        try count()
        _ = skipBlanks()
        guard index < bytes.count, bytes[index] == 0x3D else { throw fault() }
        index += 1
        _ = skipBlanks()
        guard index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 else { throw fault() }
        let quote = bytes[index]
        index += 1
        var value: [UInt8] = []
        while index < bytes.count, bytes[index] != quote {
            switch bytes[index] {
            case 0x3C: throw fault()
            case 0x26: value.append(contentsOf: try reference())
            case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: index += 1
            case let byte:
                value.append(XMLText.isBlank(byte) ? 0x20 : byte)
                index += 1
            }
        }
        guard index < bytes.count else { throw fault() }
        index += 1
        return XMLElement.Attribute(name: name, value: value[...])
    }

    /// `&amp;`, `&#65;`, `&#x41;` at the index.
    mutating func reference() throws(XMLError) -> [UInt8] {
        let start = index + 1
        guard let end = bytes[start..<min(start + 12, bytes.count)].firstIndex(of: 0x3B) else { throw fault(.entity) }
        guard let decoded = XMLText.character(bytes[start..<end]) else { throw fault(.entity) }
        index = end + 1
        return decoded
    }
}
