/// Why a text is no XML that is read here. Tells no content.
package struct XMLError: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// Not well-formed (XML 1.0), or not UTF-8.
        case malformed
        /// A document type: entities of one can grow without bound or read files, so there is none here.
        case documentType
        /// An entity beyond the five and character references.
        case entity
        case tooDeep, tooMany
    }
    package var kind: Kind
    /// Byte offset.
    package var offset: Int
}
