import Bytes

/// The parts of a `Content-Type` value that decide how an answer is read (RFC 9110 8.3.1).
package enum MediaType {
    /// `charset` parameter, unquoted; `nil` when there is none.
    package static func charset(of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for parameter in value.split(separator: 0x3B).dropFirst() {
            let parts = parameter.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, ASCII.equalFolded(ASCII.trimmed(parts[0]).span, Array("charset".utf8).span) else {
                continue
            }
            var text = ASCII.trimmed(parts[1])
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
        let essence = String(decoding: essence(of: value), as: UTF8.self)
        for prefix in ["image/", "audio/", "video/", "font/", "multipart/"] where essence.hasPrefix(prefix) {
            return essence != "image/svg+xml"
        }
        switch essence {
        case "application/octet-stream", "application/pdf", "application/zip", "application/gzip",
            "application/x-gzip", "application/x-tar", "application/x-7z-compressed", "application/vnd.ms-excel",
            "application/msword", "application/wasm", "application/vnd.android.package-archive",
            "text/event-stream":
            return true
        default:
            return essence.hasPrefix("application/vnd.openxmlformats-officedocument.")
        }
    }
}

extension MediaType {
    /// `application/x-www-form-urlencoded`, with any parameters.
    package static func isForm(_ value: ArraySlice<UInt8>) -> Bool {
        let type = ASCII.trimmed(value.prefix { $0 != 0x3B })
        return ASCII.equalFolded(type.span, Array("application/x-www-form-urlencoded".utf8).span)
    }
}
