import Bytes
import ContentCoding
import Domain

/// One step of `unwrap`: a word, or a mapping with one key.
enum RawUnwrap {
    private static let words: [(word: String, value: UnwrapStep)] = [
        ("charset", .charset), ("bom", .bom), ("xssi", .xssi), ("jsonp", .jsonp), ("skip_to_json", .skipToJSON),
        ("json_string", .jsonString),
    ]

    static var reader: ValueReader<UnwrapStep> {
        let word = ValueReader<UnwrapStep>.choice(words) { step in words.first { $0.value == step }?.word }
        return ValueReader(.either(word.type, section.reader.type), render: { $0.text }) { cursor in
            guard case .mapping = cursor.node.content else { return word.read(cursor) }
            let before = cursor.issues.errorCount
            guard let found = section.read(cursor) else { return nil }
            if found.steps.count == 1 { return found.steps[0] }
            if cursor.issues.errorCount == before { cursor.report("a step has one key") }
            return nil
        }
    }

    private struct Found {
        var steps: [UnwrapStep] = []

        /// Every key adds a step; there must be one in the end.
        var next: UnwrapStep? {
            get { nil }
            set { if let newValue { steps.append(newValue) } }
        }
    }

    private static var section: Section<Found> {
        let initial = Found()
        return Section(initial) { _ in
            [
                .key("charset", charset { .charsetIs($0) }, into: \.next, "This charset, whatever the label says."),
                .key(
                    "charset_fallback", charset { .charsetFallback($0) }, into: \.next,
                    "This charset where there is no label and the bytes are no UTF-8."),
                .key(
                    "xml_text", name("name of an element") { .xmlText($0) }, into: \.next,
                    "The text of the first element of this name; `*` is the root."),
                .key("pointer", pointer, into: \.next, "The value at this JSON pointer."),
                .key(
                    "unwrap_key", name("a pattern") { .unwrapKey($0) }, into: \.next,
                    "The value of the first member whose name matches; `*` is any text."),
            ]
        }
    }

    private static func name(_ what: String, _ step: @escaping ([UInt8]) -> UnwrapStep) -> ValueReader<UnwrapStep> {
        ValueReader.text(what).map { step(Array($0.utf8)) }
    }

    private static func charset(_ step: @escaping (Charset) -> UnwrapStep) -> ValueReader<UnwrapStep> {
        let text = ValueReader.text("a charset")
        return ValueReader(text.type) { cursor in
            guard let label = text.read(cursor) else { return nil }
            guard let charset = Charset(label: label.utf8) else {
                cursor.report("\(Quoted.text(label)) is no charset that is known", hint: "like gbk, big5, shift_jis")
                return nil
            }
            if !charset.isAvailable {
                cursor.report("this system cannot convert \(Quoted.text(label))", hint: "install glibc's gconv modules")
            }
            return step(charset)
        }
    }

    /// RFC 6901 3.
    private static var pointer: ValueReader<UnwrapStep> {
        let text = ValueReader.text("a JSON pointer")
        return ValueReader(text.type) { cursor in
            guard let path = text.read(cursor) else { return nil }
            guard path.hasPrefix("/") else {
                cursor.report("a JSON pointer starts with /")
                return nil
            }
            return .pointer(Array(path.utf8))
        }
    }
}
