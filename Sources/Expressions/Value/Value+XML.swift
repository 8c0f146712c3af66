package import XMLBytes

extension Value {
    /// A document as a map of its root: `xml.Error.Code`. An element with neither attributes nor children is its text; any
    /// other is a map of its children by local name (a list where a name comes more than once), its attributes under
    /// `@name`, and its own text, unless blank, under `#text`. Prefixes and namespace declarations are dropped: servers
    /// choose prefixes freely.
    package static func xml(_ document: XMLDocument) -> Value {
        .map(MapValue([(String(decoding: document.root.localName, as: UTF8.self), element(document.root, document))]))
    }

    /// Depth is bounded by `XMLLimits`.
    private static func element(_ element: XMLElement, _ document: XMLDocument) -> Value {
        let attributes = element.attributes.filter { attribute in
            !attribute.name.starts(with: "xmlns:".utf8) && !attribute.name.elementsEqual("xmlns".utf8)
        }
        if attributes.isEmpty, element.children.isEmpty { return .string(element.text) }
        var map = MapValue()
        for attribute in attributes {
            _ = map.insert(.string(attribute.value), for: .text([0x40] + XMLElement.local(attribute.name)))
        }
        if !element.text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }) {
            _ = map.insert(.string(element.text), for: .text("#text"))
        }
        var groups: [ArraySlice<UInt8>: Int] = [:]
        var values: [(name: ArraySlice<UInt8>, values: [Value])] = []
        for child in element.children {
            let child = document.elements[child]
            let value = Value.element(child, document)
            if let group = groups[child.localName] {
                values[group].values.append(value)
            } else {
                groups[child.localName] = values.count
                values.append((child.localName, [value]))
            }
        }
        for group in values {
            _ = map.insert(group.values.count == 1 ? group.values[0] : .list(group.values), for: .string(group.name))
        }
        return .map(map)
    }
}
