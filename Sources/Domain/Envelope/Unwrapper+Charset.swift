import Bytes
import ContentCoding

/// Bytes to UTF-8 text: content coding, charset, byte order mark.
extension Unwrapper {
    /// The gateway asks for `identity`; some servers compress all the same.
    static func decode(_ body: [UInt8], _ codings: [ContentCoding], limit: Int) throws(GatewayError) -> [UInt8] {
        var bytes = body
        for coding in codings.reversed() where !bytes.isEmpty {
            do {
                bytes = try coding.decode(bytes, limit: limit)
            } catch {
                let why =
                    switch error {
                    case .tooLarge: "is too large when decoded (limit \(limit) bytes)"
                    case .truncated: "ends too early"
                    case .trailing: "goes on behind its end"
                    case .corrupt, .unsupported: "is damaged"
                    }
                throw GatewayError(.badAnswer, detail: "content coding \(coding): the answer \(why)")
            }
        }
        return bytes
    }

    static func codings(_ value: ArraySlice<UInt8>?) throws(GatewayError) -> [ContentCoding] {
        guard let value else { return [] }
        guard let codings = ContentCoding.list(value) else {
            throw GatewayError(.badAnswer, detail: "the answer's content coding \(shown(value)) is not supported")
        }
        return codings
    }

    /// A mark counts more than a label, a label more than a guess (WHATWG Encoding 6).
    static func decodeCharset(
        _ text: inout Unwrapped, contentType: ArraySlice<UInt8>?, steps: [UnwrapStep]
    ) throws(GatewayError) {
        var (obeysLabel, override, fallback): (Bool, Charset?, Charset?) = (false, nil, nil)
        for step in steps {
            switch step {
            case .charset: obeysLabel = true
            case .charsetIs(let charset): override = charset
            case .charsetFallback(let charset): fallback = charset
            default: break
            }
        }
        guard obeysLabel || override != nil || fallback != nil else { return }
        var charset = override
        let label = contentType.flatMap { MediaType.charset(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        if charset == nil, obeysLabel {
            charset = mark(text.rest)
            if charset == nil { charset = try labelled(label ?? declared(text.rest)) }
        }
        if charset == nil, label == nil, let fallback, !isUTF8(text.rest) { charset = fallback }
        guard let charset, !charset.isUTF8 else { return }
        do {
            text.replace(try charset.decode(Array(text.rest)))
        } catch {
            let why = error == .unsupported ? "is not available on this system" : "does not fit the answer"
            throw GatewayError(.badAnswer, detail: "charset \(charset.name) \(why)")
        }
    }

    private static let utf8Labels = ["utf-8", "utf8"].map { Array($0.utf8) }

    private static func labelled(_ label: ArraySlice<UInt8>?) throws(GatewayError) -> Charset? {
        guard let label else { return nil }
        // Nearly every answer says so; looking the label up would be 11 mallocs.
        if OwnedFields.contains(utf8Labels, label.span, folding: true) { return .utf8 }
        // Others are refused rather than guessed: mojibake would be signed, cached and shown before anybody noticed.
        guard let charset = Charset(label: label) else {
            throw GatewayError(.badAnswer, detail: "charset \(shown(label)) is not supported")
        }
        return charset
    }

    private static func mark(_ bytes: ArraySlice<UInt8>) -> Charset? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        if bytes.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        return bytes.starts(with: [0xFF, 0xFE]) ? .utf16LittleEndian : nil
    }

    /// `<?xml version="1.0" encoding="GBK"?>` (XML 1.0 4.3.3).
    static func declared(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.starts(with: "<?xml".utf8), let end = bytes.firstIndex(of: 0x3E) else { return nil }
        var rest = bytes[..<end]
        let word = Array("encoding".utf8)
        while let start = rest.firstIndex(of: word[0]) {
            rest = rest[start...]
            guard rest.starts(with: word) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(word.count).drop { isBlank($0) || $0 == 0x3D }
            guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return nil }
            return rest.dropFirst().prefix { $0 != quote }
        }
        return nil
    }

    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        var index = 0
        let span = bytes.span
        while index < span.count {
            let length = UTF8Sequence.length(span, at: index)
            guard length > 0 else { return false }
            index += length
        }
        return true
    }

    /// A word of a peer in a text for people: only a word.
    private static func shown(_ word: ArraySlice<UInt8>) -> String {
        let lower = word.map(ASCII.lower)
        let isWord = lower.allSatisfy { ASCII.isAlpha($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F }
        return isWord && lower.count <= 32 ? String(decoding: lower, as: UTF8.self) : "of that name"
    }
}
