import Bytes

/// The parts of a `Content-Type` value that decide how an answer is read (RFC 9110 8.3.1).
package enum MediaType {
    /// `charset` parameter, unquoted; `nil` when there is none.
    package static func charset(of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { parameter("charset", of: value) }

    /// The first parameter of this name (RFC 9110 5.6.6), without its quotes; `nil` when there is none. Backslashes within
    /// quotes are left in.
    static func parameter(_ name: StaticString, of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard var index = value.firstIndex(of: 0x3B) else { return nil }
        while index < value.endIndex {
            index += 1
            guard let equals = value[index...].firstIndex(where: { $0 == 0x3D || $0 == 0x3B }) else { return nil }
            let key = ASCII.trimmed(value[index..<equals])
            index = equals
            guard value[equals] == 0x3D else { continue }
            let (text, end) = parameterValue(value, from: equals + 1)
            if name.withSpan({ ASCII.equalFolded(key.span, $0) }) { return text }
            index = value[end...].firstIndex(of: 0x3B) ?? value.endIndex
        }
        return nil
    }

    /// A token or a quoted text, and where it ends.
    private static func parameterValue(
        _ value: ArraySlice<UInt8>, from start: Int
    ) -> (text: ArraySlice<UInt8>, end: Int) {
        var index = start
        while index < value.endIndex, value[index] == 0x20 || value[index] == 0x09 { index += 1 }
        guard index < value.endIndex, value[index] == 0x22 else {
            let end = value[index...].firstIndex(of: 0x3B) ?? value.endIndex
            return (ASCII.trimmed(value[index..<end]), end)
        }
        let first = index + 1
        index = first
        while index < value.endIndex, value[index] != 0x22 { index += value[index] == 0x5C ? 2 : 1 }
        let end = min(index, value.endIndex)
        return (value[first..<end], min(end + 1, value.endIndex))
    }

    /// Type and subtype in lower case, without parameters.
    package static func essence(of value: ArraySlice<UInt8>) -> [UInt8] {
        ASCII.trimmed(value.prefix { $0 != 0x3B }).map(ASCII.lower)
    }

    /// A download: pictures, sound, archives. An envelope never wraps one, so that it passes through an envelope route as
    /// it is, streamed. JSON comes under every textual name (PHP says `text/html`), so text never counts.
    package static func isDownload(_ value: ArraySlice<UInt8>?) -> Bool {
        guard let value else { return false }
        let essence = ASCII.trimmed(value.prefix { $0 != 0x3B })
        for prefix in prefixes where essence.count >= prefix.count {
            let start = essence.prefix(prefix.count)
            if ASCII.equalFolded(start.span, prefix.span) { return !ASCII.equalFolded(essence.span, vectors.span) }
        }
        return OwnedFields.contains(downloads, essence.span, folding: true)
    }

    private static let vectors = Array("image/svg+xml".utf8)
    private static let prefixes = [
        "image/", "audio/", "video/", "font/", "multipart/", "application/vnd.openxmlformats-officedocument.",
    ].map { Array($0.utf8) }
    private static let downloads = [
        "application/octet-stream", "application/pdf", "application/zip", "application/gzip", "application/x-gzip",
        "application/x-tar", "application/x-7z-compressed", "application/vnd.ms-excel", "application/msword",
        "application/wasm", "application/vnd.android.package-archive", "text/event-stream",
    ].map { Array($0.utf8) }
}

extension MediaType {
    /// `application/x-www-form-urlencoded`, with any parameters.
    package static func isForm(_ value: ArraySlice<UInt8>) -> Bool {
        let type = ASCII.trimmed(value.prefix { $0 != 0x3B })
        return ASCII.equalFolded(type.span, Array("application/x-www-form-urlencoded".utf8).span)
    }
}
