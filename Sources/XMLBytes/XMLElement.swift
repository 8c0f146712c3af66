/// One element of an `XMLDocument`.
package struct XMLElement: Sendable {
    package struct Attribute: Sendable {
        /// With its prefix.
        package var name: ArraySlice<UInt8>
        /// References decoded, blanks normalized (XML 1.0 3.3.3).
        package var value: ArraySlice<UInt8>
    }
    /// With its prefix.
    package var name: ArraySlice<UInt8>
    package var attributes: [Attribute] = []
    /// Indices into the document's elements, in order.
    package var children: [Int] = []
    /// Where the element stands in the document, with its tags.
    package internal(set) var whole: Range<Int>
    /// What stands between its tags; empty, at the end, for `<a/>`.
    package internal(set) var content: Range<Int>
    /// Where `text` stands in the document, when nothing had to be decoded or joined.
    package private(set) var textRange: Range<Int>?
    private var single: ArraySlice<UInt8> = []
    private var joined: [UInt8] = []

    /// - Parameter start: of its start tag, which has not been read to its end yet.
    init(name: ArraySlice<UInt8>, at start: Int) {
        self.name = name
        (whole, content) = (start..<start, start..<start)
    }

    /// False for `<a/>`.
    package var hasEndTag: Bool { content.upperBound < whole.upperBound }

    /// Character data right inside this element, without that of its children: references decoded once, CDATA as it is.
    package var text: ArraySlice<UInt8> { joined.isEmpty ? single : joined[...] }

    /// Without its prefix.
    package var localName: ArraySlice<UInt8> { XMLElement.local(name) }

    package static func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.firstIndex(of: 0x3A).map { name[($0 + 1)...] } ?? name
    }

    /// More character data. Appends in place: a text of a million references must not be copied a million times.
    mutating func append(_ piece: ArraySlice<UInt8>, range: Range<Int>?) {
        guard !piece.isEmpty else { return }
        if joined.isEmpty, single.isEmpty {
            (single, textRange) = (piece, range)
            return
        }
        if joined.isEmpty { joined = Array(single) }
        joined.append(contentsOf: piece)
        textRange = nil
    }
}
