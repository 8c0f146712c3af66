extension FlatXML {
    /// Content of an element with CDATA sections opened and entities undone; an unknown entity stays as it is.
    static func text(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var rest = content
        while let byte = rest.first {
            if byte == 0x3C, rest.starts(with: "<![CDATA[".utf8) {
                rest = rest.dropFirst(9)
                while !rest.isEmpty, !rest.starts(with: "]]>".utf8) { output.append(rest.removeFirst()) }
                rest = rest.dropFirst(3)
            } else if byte == 0x26, let entity = entity(rest) {
                output.append(contentsOf: entity.text)
                rest = rest.dropFirst(entity.length)
            } else {
                output.append(byte)
                rest.removeFirst()
            }
        }
        return output
    }

    private static let named: [(name: String, text: [UInt8])] = [
        ("lt", [0x3C]), ("gt", [0x3E]), ("amp", [0x26]), ("quot", [0x22]), ("apos", [0x27]),
    ]

    /// `&lt;`, `&#20013;`, `&#x4E2D;` at the start of the text, and its length.
    private static func entity(_ text: ArraySlice<UInt8>) -> (text: [UInt8], length: Int)? {
        // The longest is `&#x10FFFF;`.
        guard let end = text.prefix(12).firstIndex(of: 0x3B) else { return nil }
        let name = String(decoding: text[(text.startIndex + 1)..<end], as: UTF8.self)
        let length = end + 1 - text.startIndex
        if let known = named.first(where: { $0.name == name }) { return (known.text, length) }
        let value: UInt32?
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            value = UInt32(name.dropFirst(2), radix: 16)
        } else if name.hasPrefix("#") {
            value = UInt32(name.dropFirst())
        } else {
            value = nil
        }
        guard let scalar = value.flatMap(Unicode.Scalar.init) else { return nil }
        return (Array(String(Character(scalar)).utf8), length)
    }
}
