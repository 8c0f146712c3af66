import Bytes

/// A field of an answer that tells clients where to go on.
package enum AddressField {
    /// `Location`, `Content-Location`: one address is all of it.
    case single
    /// `Link` (RFC 8288 3): each address stands in angle brackets, before its parameters.
    case list

    package init?(_ name: Span<UInt8>) {
        switch name.count {
        case 4 where ASCII.equalFolded(name, Self.link.span): self = .list
        case 8 where ASCII.equalFolded(name, Self.location.span): self = .single
        case 16 where ASCII.equalFolded(name, Self.contentLocation.span): self = .single
        default: return nil
        }
    }

    /// The value with other addresses, and every other byte as it was; `nil` when no address changes.
    /// - Parameter changed: the address instead of this one; `nil`: it stays.
    package func replacing(
        in value: ArraySlice<UInt8>, _ changed: (ArraySlice<UInt8>) -> [UInt8]?
    ) -> [UInt8]? {
        guard self == .list else { return changed(value) }
        var (output, hasChanged, index) = ([UInt8](), false, value.startIndex)
        while index < value.endIndex {
            let rest = value[index...]
            let end = Self.endOfQuoted(rest) ?? Self.endOfAddress(rest) ?? index + 1
            if value[index] == 0x3C, end > index + 1, let other = changed(value[(index + 1)..<(end - 1)]) {
                hasChanged = true
                output.append(0x3C)
                output += other
                output.append(0x3E)
            } else {
                output += value[index..<end]
            }
            index = end
        }
        return hasChanged ? output : nil
    }

    private static let link = Array("link".utf8)
    private static let location = Array("location".utf8)
    private static let contentLocation = Array("content-location".utf8)

    /// Behind the closing bracket of an address that begins here.
    private static func endOfAddress(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.first == 0x3C else { return nil }
        return text.firstIndex(of: 0x3E).map { $0 + 1 }
    }

    /// Behind the closing quote of a quoted string (RFC 9110 5.6.4) that begins here: brackets in a title are no address.
    private static func endOfQuoted(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.first == 0x22 else { return nil }
        var index = text.startIndex + 1
        while index < text.endIndex, text[index] != 0x22 { index += text[index] == 0x5C ? 2 : 1 }
        return min(index + 1, text.endIndex)
    }
}
