package import Bytes

/// The parts of a `Content-Type` value that decide how an answer is read (RFC 9110 8.3.1).
package enum MediaType {
    /// `charset` parameter, unquoted; `nil` when there is none.
    package static func charset(of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { parameter("charset", of: value) }

    /// The first parameter of this name (RFC 9110 5.6.6), without its quotes; `nil` when there is none, or what stands before
    /// it is malformed. Backslashes within quotes are left in.
    static func parameter(_ name: StaticString, of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var index = value.firstIndex(of: 0x3B) ?? value.endIndex
        while index < value.endIndex, let next = parameter(of: value, at: &index) {
            if name.withSpan({ ASCII.equalFolded(next.name.span, $0) }) { return next.text }
        }
        return nil
    }

    /// The one parameter of this name, empty when there is none. `nil` when readers could differ on it: it comes twice, in
    /// pieces (`name*0`, RFC 2231) or with blanks at its equals sign; its name is also within another parameter (PHP takes the
    /// first `boundary` anywhere); or a parameter is malformed.
    static func only(_ name: StaticString, of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        var index = value.firstIndex(of: 0x3B) ?? value.endIndex
        while index < value.endIndex {
            guard let next = parameter(of: value, at: &index) else { return nil }
            if name.withSpan({ ASCII.equalFolded(next.name.span, $0) }) {
                let rest = value[next.name.endIndex...]
                guard found == nil, rest.first == 0x3D, !isBlank(rest.dropFirst().first) else { return nil }
                found = next.text
            } else if holds(name, next.name) || holds(name, next.text) {
                return nil
            }
        }
        return found ?? []
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func holds(_ word: StaticString, _ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { index in
            let part = text[index...].prefix(word.utf8CodeUnitCount)
            return word.withSpan { ASCII.equalFolded(part.span, $0) }
        }
    }

    /// The parameter behind the semicolon at the index, which moves on to the next semicolon or the end. `nil` when it is
    /// malformed: a quote that does not close or has something behind it, or one where a token should be.
    static func parameter(
        of value: ArraySlice<UInt8>, at index: inout Int
    ) -> (name: ArraySlice<UInt8>, text: ArraySlice<UInt8>)? {
        let first = index + 1
        guard let equals = value[first...].firstIndex(where: { $0 == 0x3D || $0 == 0x3B }), value[equals] == 0x3D else {
            index = value[first...].firstIndex(of: 0x3B) ?? value.endIndex
            return (ASCII.trimmed(value[first..<index]), [])
        }
        let name = ASCII.trimmed(value[first..<equals])
        var start = equals + 1
        while start < value.endIndex, value[start] == 0x20 || value[start] == 0x09 { start += 1 }
        guard start < value.endIndex, value[start] == 0x22 else {
            index = value[start...].firstIndex(of: 0x3B) ?? value.endIndex
            let text = ASCII.trimmed(value[start..<index])
            return text.contains(0x22) || text.contains(0x5C) ? nil : (name, text)
        }
        start += 1
        var end = start
        while end < value.endIndex, value[end] != 0x22 { end += value[end] == 0x5C ? 2 : 1 }
        guard end < value.endIndex else { return nil }
        index = value[end...].firstIndex(of: 0x3B) ?? value.endIndex
        return ASCII.trimmed(value[(end + 1)..<index]).isEmpty ? (name, value[start..<end]) : nil
    }

    /// Type and subtype in lower case, without parameters.
    package static func essence(of value: ArraySlice<UInt8>) -> [UInt8] {
        ASCII.trimmed(value.prefix { $0 != 0x3B }).map(ASCII.lower)
    }

    /// To be saved as a file, whatever its type (RFC 6266 4.2).
    package static func isAttachment(_ fields: PairBlock) -> Bool {
        guard let value = fields.first("content-disposition", folding: true) else { return false }
        return ASCII.equalFolded(ASCII.trimmed(value.prefix { $0 != 0x3B }).span, attachment.span)
    }

    /// A download: pictures, sound, archives, tables. An envelope never wraps one, so that it passes through an envelope
    /// route as it is, streamed. JSON comes under every other textual name (PHP says `text/html`).
    package static func isDownload(_ value: ArraySlice<UInt8>?) -> Bool {
        guard let value else { return false }
        let essence = ASCII.trimmed(value.prefix { $0 != 0x3B })
        for prefix in prefixes where essence.count >= prefix.count {
            let start = essence.prefix(prefix.count)
            if ASCII.equalFolded(start.span, prefix.span) { return !ASCII.equalFolded(essence.span, vectors.span) }
        }
        return OwnedFields.contains(downloads, essence.span, folding: true) || isStream(value)
    }

    /// Goes on for as long as its server likes: nobody waits for its end.
    package static func isStream(_ value: ArraySlice<UInt8>?) -> Bool {
        guard let value else { return false }
        return OwnedFields.contains(streams, ASCII.trimmed(value.prefix { $0 != 0x3B }).span, folding: true)
    }

    private static let attachment = Array("attachment".utf8)
    private static let vectors = Array("image/svg+xml".utf8)
    private static let prefixes = [
        "image/", "audio/", "video/", "font/", "multipart/", "application/vnd.openxmlformats-officedocument.",
    ].map { Array($0.utf8) }
    private static let downloads = [
        "application/octet-stream", "application/pdf", "application/zip", "application/gzip", "application/x-gzip",
        "application/x-tar", "application/x-7z-compressed", "application/vnd.ms-excel", "application/msword",
        "application/wasm", "application/vnd.android.package-archive", "text/csv", "text/tab-separated-values",
    ].map { Array($0.utf8) }
    private static let streams = [
        "text/event-stream", "application/x-ndjson", "application/ndjson", "application/jsonl",
        "application/x-jsonlines",
        "application/json-seq", "application/stream+json", "application/x-json-stream", "multipart/x-mixed-replace",
    ].map { Array($0.utf8) }
}

extension MediaType {
    /// Type and subtype of a request's body as the most lenient reader sees them: for PHP a comma or a blank ends them too, and
    /// what it takes for a form is one here.
    static func lenient(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        ASCII.trimmed(value).prefix { $0 != 0x3B && $0 != 0x2C && $0 != 0x20 && $0 != 0x09 }
    }

    /// `application/x-www-form-urlencoded`, with any parameters.
    package static func isForm(_ value: ArraySlice<UInt8>) -> Bool {
        let type = lenient(value)
        return ASCII.equalFolded(type.span, Array("application/x-www-form-urlencoded".utf8).span)
    }
}
