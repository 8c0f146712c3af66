package import Bytes

/// A document as signing APIs use it: one root with elements inside, such as `<xml><appid>wx1</appid></xml>`. The elements right
/// inside the root are read, added and cut out; every other byte stays.
extension XMLDocument {
    private var fieldElements: [XMLElement] { root.children.map { elements[$0] } }

    /// Names as written, with a prefix, and texts; of an element with elements inside, its markup is the value.
    package var fields: PairBlock {
        var block = PairBlock()
        for element in fieldElements {
            let value = element.children.isEmpty ? Array(element.text) : Array(bytes[element.content])
            block.append(name: Array(element.name), value: value)
        }
        return block
    }

    /// An element of this name is right inside the root.
    package func has(_ name: [UInt8]) -> Bool { fieldElements.contains { $0.name.elementsEqual(name) } }

    /// Adds elements at the end of the root. `nil` when the text is no such XML, or XML cannot say a value.
    package static func appending(_ added: [(name: [UInt8], value: [UInt8])], to text: [UInt8]) -> [UInt8]? {
        guard let document = try? XMLDocument(parsing: text, anyCharset: true) else { return nil }
        let root = document.root
        // `<a/>` is opened: its last two bytes are the slash and the bracket.
        let end = root.hasEndTag ? root.content.upperBound : root.whole.upperBound
        var result = Array(text[..<(root.hasEndTag ? end : end - 2)])
        if !root.hasEndTag { result.append(0x3E) }
        for element in added {
            result.append(0x3C)
            result += element.name
            result.append(0x3E)
            guard XMLText.appendEscaped(element.value[...], anyCharset: true, to: &result) else { return nil }
            result += [0x3C, 0x2F]
            result += element.name
            result.append(0x3E)
        }
        if !root.hasEndTag { result += [0x3C, 0x2F] + root.name + [0x3E] }
        return result + text[end...]
    }

    /// Cuts the elements with these names out. `nil` when nothing had to go or the text is no such XML.
    package static func dropping(_ names: [[UInt8]], from text: [UInt8]) -> [UInt8]? {
        guard !names.isEmpty, let document = try? XMLDocument(parsing: text, anyCharset: true) else { return nil }
        var result: [UInt8] = []
        var copied = 0
        for element in document.fieldElements where isNamed(element, names) {
            result += text[copied..<element.whole.lowerBound]
            copied = element.whole.upperBound
        }
        return copied == 0 ? nil : result + text[copied...]
    }

    /// Whatever its prefix and its case.
    private static func isNamed(_ element: XMLElement, _ names: [[UInt8]]) -> Bool {
        names.contains { ASCII.equalFolded(XMLElement.local($0[...]).span, element.localName.span) }
    }
}
