package import Bytes

/// Writes the head of an answer. Framing and connection fields come from here alone; the fields given must be free of
/// them (`HopByHop.strip(response:)`).
package enum ResponseHeadWriter {
    /// How the client finds the end of the body.
    package enum Framing: Sendable, Equatable {
        /// No body and no length: 1xx, 204, 304.
        case none
        /// `Content-Length`; also for HEAD, where it announces and nothing follows.
        case length(UInt64)
        case chunked
        /// The end of the connection ends the body: for HTTP/1.0 clients.
        case close
    }

    /// A whole head with its empty line.
    /// - Parameters:
    ///   - reason: words behind the status; `nil`: the usual ones.
    ///   - date: IMF-fixdate for `Date`, or empty for none. Left out when the fields hold one.
    ///   - keepAlive: what happens after the answer; `Connection: close` says no.
    ///   - isHTTP10: the client speaks HTTP/1.0 and must be told that the connection stays.
    ///   - appendOwn: appends more fields with `appendField`.
    package static func append(
        status: Int, reason: [UInt8]? = nil, fields: PairBlock, framing: Framing, keepAlive: Bool,
        isHTTP10: Bool = false, date: Span<UInt8>,
        to output: inout [UInt8], appendOwn: (inout [UInt8]) -> Void = { _ in }
    ) {
        appendStatusLine(status, reason: reason, to: &output)
        let hasDate = appendFields(fields, to: &output)
        appendOwn(&output)
        if !hasDate, date.count > 0 {
            appendLiteral("Date: ", to: &output)
            output.append(copying: date)
            appendLiteral("\r\n", to: &output)
        }
        switch framing {
        case .none: break
        case .length(let count):
            appendLiteral("Content-Length: ", to: &output)
            output.append(decimal: count)
            appendLiteral("\r\n", to: &output)
        case .chunked: appendLiteral("Transfer-Encoding: chunked\r\n", to: &output)
        case .close: break
        }
        if !keepAlive || framing == .close {
            appendLiteral("Connection: close\r\n", to: &output)
        } else if isHTTP10 {
            appendLiteral("Connection: keep-alive\r\n", to: &output)
        }
        appendLiteral("\r\n", to: &output)
    }

    /// `HTTP/1.1 200 OK` CRLF. A status outside 100 to 999 becomes 500: three digits are grammar. Bytes of `reason` that would
    /// end the line are replaced by a space.
    package static func appendStatusLine(_ status: Int, reason: [UInt8]? = nil, to output: inout [UInt8]) {
        let status = 100...999 ~= status ? status : 500
        appendLiteral("HTTP/1.1 ", to: &output)
        output.append(decimal: UInt64(status))
        output.append(ByteClass.space)
        if let reason {
            for byte in reason { output.append(ByteClass.isFieldText(byte) ? byte : ByteClass.space) }
        } else {
            appendLiteral(StatusPhrase.of(status), to: &output)
        }
        appendLiteral("\r\n", to: &output)
    }

    /// `Name: value` CRLF. Bytes that would end the line or the head are replaced by a space, so that no caller can
    /// split an answer; fields from a parser never hold any.
    package static func appendField(name: Span<UInt8>, value: Span<UInt8>, to output: inout [UInt8]) {
        // One growth check per field instead of one per piece: a head is some thirty pieces.
        output.append(addingCapacity: name.count + value.count + 4) { target in
            for index in name.indices { target.append(name[index]) }
            target.append(ByteClass.colon)
            target.append(ByteClass.space)
            for index in value.indices {
                let byte = value[index]
                target.append(ByteClass.isFieldText(byte) ? byte : ByteClass.space)
            }
            target.append(ByteClass.carriageReturn)
            target.append(ByteClass.lineFeed)
        }
    }

    /// A field with a literal name.
    package static func appendField(_ name: StaticString, value: Span<UInt8>, to output: inout [UInt8]) {
        appendLiteral(name, to: &output)
        appendField(name: Span(), value: value, to: &output)
    }

    /// `HTTP/1.1 100 Continue` and its empty line.
    package static func appendContinue(to output: inout [UInt8]) {
        appendLiteral("HTTP/1.1 100 Continue\r\n\r\n", to: &output)
    }

    /// True when one of the fields is `Date`.
    private static func appendFields(_ fields: PairBlock, to output: inout [UInt8]) -> Bool {
        let bytes = fields.bytes
        let span = bytes.span
        var hasDate = false
        for entry in fields.entries {
            let nameStart = Int(entry.nameStart)
            let valueStart = Int(entry.valueStart)
            let name = span.extracting(nameStart..<nameStart + Int(entry.nameCount))
            if name.count == 4, name.isFolded("date") { hasDate = true }
            appendField(
                name: name, value: span.extracting(valueStart..<valueStart + Int(entry.valueCount)), to: &output)
        }
        return hasDate
    }

    private static func appendLiteral(_ text: StaticString, to output: inout [UInt8]) {
        text.withSpan { output.append(copying: $0) }
    }
}
