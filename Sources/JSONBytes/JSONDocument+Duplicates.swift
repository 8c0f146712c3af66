import Bytes

extension JSONDocument {
    /// A name that some object has twice (RFC 8259 4: what a reader makes of it is not told), as `JSONValue.duplicateName`.
    package var duplicateName: String? {
        var pending = [root]
        while let value = pending.popLast() {
            if let name = value.duplicateName { return name }
            for member in value.members where member.value.count > 0 { pending.append(member.value) }
            for element in value.elements where element.count > 0 { pending.append(element) }
        }
        return nil
    }
}

extension JSONValue {
    /// Longest name that a message tells, in bytes.
    private static let shownBytes = 64

    /// A name that this object has twice; names are compared after unescaping. For a message: in quotes, cut where it is
    /// long, without what a terminal or a log would take for more than text.
    package var duplicateName: String? {
        var names: Set<[UInt8]> = []
        for member in members {
            let name = Array(member.key.text ?? member.key.raw)
            guard !names.insert(name).inserted else { continue }
            let shown = name.prefix(Self.shownBytes).map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }
            return "\"\(String(decoding: shown, as: UTF8.self))\(name.count > Self.shownBytes ? "..." : "")\""
        }
        return nil
    }
}
