/// A value of PHP's `$_POST`: text, or an array that `name[]` or `name[key]` made.
enum PHPValue: Equatable, Sendable {
    case text([UInt8])
    case array

    /// As `implode` sees it: an array becomes the word `Array` (and a notice).
    var joined: [UInt8] {
        switch self {
        case .text(let bytes): bytes
        case .array: [0x41, 0x72, 0x72, 0x61, 0x79]
        }
    }

    /// Text, or `nil` for an array.
    var text: [UInt8]? {
        if case .text(let bytes) = self { return bytes }
        return nil
    }
}
