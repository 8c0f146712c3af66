/// Why bytes could not be decoded. Tells no byte of them.
package enum ContentCodingError: Error, Equatable, Sendable {
    /// A coding or charset that this build or this system does not know.
    case unsupported
    /// The bytes break the rules of their coding: structure, checksum, or a sequence that no character has.
    case corrupt
    /// The bytes end too early.
    case truncated
    /// Bytes follow the end.
    case trailing
    /// More comes out than may: the size, or the ratio of output to input.
    case tooLarge
}
