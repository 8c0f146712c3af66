import JSONBytes
import XMLBytes

/// Text to the value that the envelope is read from. A step that finds nothing to take off leaves the text alone, so that one
/// envelope can serve a server that wraps sometimes (an `.asmx` answers XML to a form and JSON to JSON).
extension Unwrapper {
    static func xmlText(_ name: [UInt8], _ text: inout Unwrapped) {
        let start = skipBlank(text.bytes, text.range)
        guard start < text.range.upperBound, text.bytes[start] == 0x3C else { return }
        let isWhole = start == 0 && text.range.upperBound == text.bytes.count
        let source = isWhole ? text.bytes : Array(text.bytes[start..<text.range.upperBound])
        guard let document = try? XMLDocument(parsing: source), let element = document.first(name) else { return }
        if let range = element.textRange {
            text.narrow(to: isWhole ? range : range.lowerBound + start..<range.upperBound + start)
        } else {
            text.replace(Array(element.text))
        }
    }

    static func pointer(_ path: [UInt8], _ text: inout Unwrapped) {
        if let inner = text.parsed()?.pointer(path.span) { text.descend(to: inner) }
    }

    /// Only where the string holds JSON: a text stays a text.
    static func jsonString(_ text: inout Unwrapped) {
        guard let content = text.parsed()?.text, let inner = try? JSONDocument(parsing: Array(content)) else { return }
        text.descend(to: inner.root)
    }

    static func unwrapKey(_ glob: [UInt8], _ text: inout Unwrapped) {
        guard let value = text.parsed(), value.kind == .object else { return }
        for member in value.members {
            guard let key = member.key.text, matches(key, glob[...]) else { continue }
            return text.descend(to: member.value)
        }
    }

    /// `*` is any run of bytes.
    static func matches(_ name: ArraySlice<UInt8>, _ glob: ArraySlice<UInt8>) -> Bool {
        var (position, pattern) = (name.startIndex, glob.startIndex)
        var retry: (position: Int, pattern: Int)?
        while position < name.endIndex {
            if pattern < glob.endIndex, glob[pattern] == 0x2A {
                pattern += 1
                retry = (position, pattern)
            } else if pattern < glob.endIndex, glob[pattern] == name[position] {
                position += 1
                pattern += 1
            } else if let last = retry {
                (position, pattern) = (last.position + 1, last.pattern)
                retry?.position += 1
            } else {
                return false
            }
        }
        return glob[pattern...].allSatisfy { $0 == 0x2A }
    }
}
