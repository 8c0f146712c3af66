import Bytes
import JSONBytes

extension Value {
    /// Every text in it is UTF-8, so that it has a JSON. Parts of a JSON document are; what a client wrote as `%ff` is not.
    package var isUnicode: Bool {
        switch self {
        case .string(let text): Self.isUTF8(text.span)
        case .optional(.some(let inner)): inner.isUnicode
        case .list, .pairs, .pair, .map:
            if let map = asMap {
                map.entries.allSatisfy { $0.key.isUnicode && $0.value.isUnicode }
            } else {
                elements?.allSatisfy(\.isUnicode) ?? true
            }
        default: true
        }
    }

    /// Strict: no overlong form, no surrogate.
    static func isUTF8(_ text: Span<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            if text[index] < 0x80 {
                index &+= 1
                continue
            }
            let length = UTF8Sequence.length(text, at: index)
            guard length > 0 else { return false }
            index += length
        }
        return true
    }
}
