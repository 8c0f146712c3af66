/// A well-formed XML 1.0 text as a tree: strict, not validating. UTF-8 only, no document type, no entities but the five and
/// character references; comments and processing instructions are skipped.
package final class XMLDocument: Sendable {
    package let bytes: [UInt8]
    /// In document order; the root is the first.
    package let elements: [XMLElement]

    /// - Parameter anyCharset: every byte beyond ASCII is a letter: enough to find elements in GBK and its like.
    package init(
        parsing bytes: [UInt8], limits: XMLLimits = XMLLimits(), anyCharset: Bool = false
    ) throws(XMLError) {
        var scanner = XMLScanner(bytes, limits, anyCharset: anyCharset)
        elements = try scanner.document()
        self.bytes = bytes
    }

    package var root: XMLElement { elements[0] }

    /// The first element of this name: compared with the whole name when it holds a colon, else with the local name. `*` is
    /// the root.
    package func first(_ name: [UInt8]) -> XMLElement? {
        if name == [0x2A] { return root }
        let isQualified = name.contains(0x3A)
        return elements.first { (isQualified ? $0.name : $0.localName).elementsEqual(name) }
    }
}
