package import Bytes

/// Writes the head of a request to an upstream. `Host` and framing come from here alone: a field of that name among the
/// given ones is left out, since a second one would be request smuggling.
package enum RequestHeadWriter {
    /// How the upstream finds the end of the body.
    package enum Framing: Sendable, Equatable {
        /// No body and no word about it.
        case none
        case length(UInt64)
        case chunked
    }

    /// Appends a whole head with its empty line. False when a part holds what no head may hold (a line end, a control
    /// byte, a blank in the target, an empty name); then `output` is worth nothing.
    package static func append(
        method: [UInt8], target: [UInt8], host: [UInt8], fields: PairBlock, framing: Framing, to output: inout [UInt8]
    ) -> Bool {
        guard isToken(method.span), isTarget(target.span), isValue(host.span) else { return false }
        output.reserveCapacity(
            output.count + method.count + target.count + host.count + fields.bytes.count + 4 * fields.count + 64)
        output.append(contentsOf: method)
        output.append(ByteClass.space)
        output.append(contentsOf: target)
        literal(" HTTP/1.1\r\nHost: ", to: &output)
        output.append(contentsOf: host)
        literal("\r\n", to: &output)
        guard append(fields, to: &output) else { return false }
        switch framing {
        case .none: break
        case .length(let count):
            literal("Content-Length: ", to: &output)
            output.append(decimal: count)
            literal("\r\n", to: &output)
        case .chunked: literal("Transfer-Encoding: chunked\r\n", to: &output)
        }
        literal("\r\n", to: &output)
        return true
    }

    private static func append(_ fields: PairBlock, to output: inout [UInt8]) -> Bool {
        let bytes = fields.bytes
        let span = bytes.span
        for entry in fields.entries {
            let nameStart = Int(entry.nameStart)
            let name = span.extracting(nameStart..<nameStart + Int(entry.nameCount))
            guard !isOwn(name) else { continue }
            let valueStart = Int(entry.valueStart)
            let value = span.extracting(valueStart..<valueStart + Int(entry.valueCount))
            guard isToken(name), isValue(value) else { return false }
            output.append(copying: name)
            output.append(ByteClass.colon)
            if !value.isEmpty {
                output.append(ByteClass.space)
                output.append(copying: value)
            }
            output.append(ByteClass.carriageReturn)
            output.append(ByteClass.lineFeed)
        }
        return true
    }

    /// `Expect` too: the transport has no state for a 100 that does not come.
    private static func isOwn(_ name: Span<UInt8>) -> Bool {
        switch name.count {
        case 4: name.isFolded("host")
        case 6: name.isFolded("expect")
        case 14: name.isFolded("content-length")
        case 17: name.isFolded("transfer-encoding")
        default: false
        }
    }

    private static func isToken(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !ByteClass.isToken(bytes[index]) { return false }
        return !bytes.isEmpty
    }

    private static func isValue(_ bytes: Span<UInt8>) -> Bool {
        ByteClass.endOfFieldText(bytes, from: 0) == bytes.count
    }

    /// Origin-form or `*`. Bytes above ASCII pass as they are: the target goes out byte for byte as it was signed.
    private static func isTarget(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0, bytes[0] == 0x2F || (bytes.count == 1 && bytes[0] == 0x2A) else { return false }
        var index = 0
        while index < bytes.count {
            index = ByteClass.endOfVisible(bytes, from: index)
            guard index < bytes.count else { return true }
            guard bytes[index] >= 0x80 else { return false }
            index += 1
        }
        return true
    }

    private static func literal(_ text: StaticString, to output: inout [UInt8]) {
        text.withSpan { output.append(copying: $0) }
    }
}
