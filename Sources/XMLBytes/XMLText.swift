import Bytes

/// Small rules of XML text, for reading and writing.
package enum XMLText {
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Bytes beyond ASCII count as letters: the few characters of them that XML forbids in names harm nobody.
    static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == 0x5F || byte == 0x3A || byte == 0x2D || byte == 0x2E
            || byte >= 0x80
    }

    /// A name that an element or attribute may have.
    package static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first, let last = name.last, name.allSatisfy(isNameByte) else { return false }
        guard !ASCII.isDigit(first), first != 0x2D, first != 0x2E, first != 0x3A, last != 0x3A else { return false }
        return name.count { $0 == 0x3A } <= 1
    }

    /// What a reference between `&` and `;` stands for, as UTF-8.
    package static func character(_ reference: ArraySlice<UInt8>) -> [UInt8]? {
        switch String(decoding: reference, as: UTF8.self) {
        case "amp": return [0x26]
        case "lt": return [0x3C]
        case "gt": return [0x3E]
        case "quot": return [0x22]
        case "apos": return [0x27]
        default: break
        }
        guard reference.first == 0x23 else { return nil }
        let digits = reference.dropFirst()
        let isHex = digits.first == 0x78
        let text = String(decoding: isHex ? digits.dropFirst() : digits, as: UTF8.self)
        // `UInt32(_:radix:)` takes a sign.
        guard let first = text.utf8.first, first != 0x2B, first != 0x2D,
            let number = UInt32(text, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(number),
            number >= 0x20 || number == 9 || number == 10 || number == 13, number != 0xFFFE, number != 0xFFFF
        else { return nil }
        return Array(String(Character(scalar)).utf8)
    }

    /// XML can say this text.
    /// - Parameter anyCharset: it need not be UTF-8.
    package static func isCharacters(_ text: ArraySlice<UInt8>, anyCharset: Bool) -> Bool {
        var output: [UInt8] = []
        return appendEscaped(text, anyCharset: anyCharset, to: &output)
    }

    /// Character data or an attribute value. False when the text holds something that XML cannot say.
    package static func appendEscaped(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) -> Bool {
        appendEscaped(text, anyCharset: false, to: &output)
    }

    static func appendEscaped(_ text: ArraySlice<UInt8>, anyCharset: Bool, to output: inout [UInt8]) -> Bool {
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            switch byte {
            case 0x26: output.append(contentsOf: "&amp;".utf8)
            case 0x3C: output.append(contentsOf: "&lt;".utf8)
            case 0x3E: output.append(contentsOf: "&gt;".utf8)
            case 0x22: output.append(contentsOf: "&quot;".utf8)
            // A template may put the value between single quotes.
            case 0x27: output.append(contentsOf: "&apos;".utf8)
            // As it is, a reader would make LF of it.
            case 0x0D: output.append(contentsOf: "&#13;".utf8)
            case 0x09, 0x0A, 0x20...0x7F: output.append(byte)
            case 0x80... where anyCharset: output.append(byte)
            case 0x80...:
                let length = UTF8Sequence.length(text.span, at: index - text.startIndex)
                guard length > 0 else { return false }
                let character = text[index..<index + length]
                guard !character.elementsEqual([0xEF, 0xBF, 0xBE]), !character.elementsEqual([0xEF, 0xBF, 0xBF]) else {
                    return false
                }
                output.append(contentsOf: character)
                index += length
                continue
            default: return false
            }
            index += 1
        }
        return true
    }
}
