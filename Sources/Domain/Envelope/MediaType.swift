import Bytes

/// The parts of a `Content-Type` value that decide how an answer is read (RFC 9110 8.3.1).
package enum MediaType {
    private static let charset = Array("charset".utf8)

    /// `charset` parameter, unquoted; `nil` when there is none.
    package static func charset(of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard var start = value.firstIndex(of: 0x3B) else { return nil }
        while start < value.endIndex {
            let rest = value[(start + 1)...]
            let end = rest.firstIndex(of: 0x3B) ?? value.endIndex
            let parameter = rest[..<end]
            start = end
            guard let equals = parameter.firstIndex(of: 0x3D) else { continue }
            let name = ASCII.trimmed(parameter[..<equals])
            guard ASCII.equalFolded(name.span, charset.span) else { continue }
            var text = ASCII.trimmed(parameter[(equals + 1)...])
            if text.count >= 2, text.first == 0x22, text.last == 0x22 { text = text.dropFirst().dropLast() }
            return text
        }
        return nil
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
