import Bytes

/// A client's `multipart/form-data` body, and edits of it that leave every other part byte for byte.
struct MultipartBody {
    let bytes: [UInt8]
    let boundary: [UInt8]
    let parts: [MultipartPart]
    /// Where the delimiter of each part begins, with the line break before it (none at the very beginning), and at last that
    /// of the one that closes the body.
    let starts: [Int]

    /// Cuts the parts with these names out, those of files too. `nil` when nothing had to go.
    func dropping(_ names: OwnedNames) -> [UInt8]? {
        guard !names.isEmpty else { return nil }
        var result: [UInt8] = []
        var copied = 0
        for (index, part) in parts.enumerated() where Self.isOwned(part.name, names) {
            result += bytes[copied..<starts[index]]
            copied = starts[index + 1]
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    /// Some readers decode the name as one of a form.
    private static func isOwned(_ name: [UInt8], _ names: OwnedNames) -> Bool {
        if names.contains(name.span) { return true }
        guard name.contains(0x25) || name.contains(0x2B) else { return false }
        var decoded: [UInt8] = []
        Percent.decode(name.span, plusIsSpace: true, into: &decoded)
        return names.contains(decoded.span)
    }

    /// Adds fields at the end. `nil` when a value holds the delimiter, and would be taken for two parts.
    func appending(_ fields: PairBlock) -> [UInt8]? {
        let (end, delimiter) = (starts[parts.count], [0x2D, 0x2D] + boundary)
        var result = Array(bytes[..<end])
        for index in 0..<fields.count {
            let part = MultipartPart(name: Array(fields.name(at: index)), value: Array(fields.value(at: index)))
            guard !Self.contains(delimiter, in: part.value) else { return nil }
            if !result.isEmpty { result += [0x0D, 0x0A] }
            MultipartText.append(part, boundary: boundary, to: &result)
        }
        // The delimiter at the very beginning has no line break of its own.
        if bytes[end] != 0x0D, !fields.isEmpty { result += [0x0D, 0x0A] }
        return result + bytes[end...]
    }

    private static func contains(_ text: [UInt8], in value: [UInt8]) -> Bool {
        value.indices.contains { value[$0...].starts(with: text) }
    }
}
