import CYAML

/// The fence around libyaml: bytes in, events out. Everything unsafe about YAML is in this file.
///
/// `yaml_parser_set_input_string` borrows its bytes until the parser is deleted, so this object owns a copy of them.
@safe final class YAMLEventReader {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// Throws only when memory is short.
    init(_ bytes: [UInt8]) throws(YAMLFault) {
        unsafe parser = .allocate(capacity: 1)
        unsafe input = .allocate(capacity: max(bytes.count, 1))
        _ = unsafe input.update(fromContentsOf: bytes)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            unsafe input.deallocate()
            throw YAMLFault(problem: "out of memory", position: SourcePosition(line: 1, column: 1))
        }
        // Fixed: by itself libyaml takes UTF-16 after a byte order mark, which nothing else here reads.
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// The next event. After `streamEnd` and after a fault it must not be called again.
    func next() throws(YAMLFault) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { unsafe yaml_event_delete(&event) }
        let start = unsafe YAMLEventReader.position(event.start_mark)
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, position: start)
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, position: start)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, position: start)
        case YAML_ALIAS_EVENT:
            let name = unsafe YAMLEventReader.text(event.data.alias.anchor) ?? ""
            return YAMLEvent(kind: .alias(name), position: start)
        case YAML_SCALAR_EVENT: return unsafe YAMLEventReader.scalar(event, at: start)
        case YAML_SEQUENCE_START_EVENT:
            let data = unsafe event.data.sequence_start
            return unsafe YAMLEvent(
                kind: .sequenceStart, position: start, anchor: YAMLEventReader.text(data.anchor),
                hasTag: data.tag != nil)
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, position: start)
        case YAML_MAPPING_START_EVENT:
            let data = unsafe event.data.mapping_start
            return unsafe YAMLEvent(
                kind: .mappingStart, position: start, anchor: YAMLEventReader.text(data.anchor),
                hasTag: data.tag != nil)
        case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, position: start)
        // YAML_NO_EVENT comes only after the end or a fault.
        default: return YAMLEvent(kind: .streamEnd, position: start)
        }
    }

    private static func scalar(_ event: yaml_event_t, at start: SourcePosition) -> YAMLEvent {
        let data = unsafe event.data.scalar
        let style: YAMLScalar.Style =
            switch unsafe data.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
            case YAML_LITERAL_SCALAR_STYLE: .literal
            case YAML_FOLDED_SCALAR_STYLE: .folded
            default: .plain
            }
        // The value may hold NUL ("\0"), so its length counts, not its terminator.
        let bytes = unsafe UnsafeBufferPointer(start: data.value, count: data.length)
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        return unsafe YAMLEvent(
            kind: .scalar(YAMLScalar(text: text, style: style)), position: start, anchor: self.text(data.anchor),
            hasTag: data.tag != nil)
    }

    private func fault() -> YAMLFault {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "unreadable"
        let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) + ": " } ?? ""
        // Encoding faults carry no mark: the reader has stopped where the mark stands.
        let mark =
            unsafe parser.pointee.error == YAML_READER_ERROR ? parser.pointee.mark : parser.pointee.problem_mark
        return YAMLFault(problem: context + problem, position: YAMLEventReader.position(mark))
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        if let pointer = unsafe pointer { unsafe String(cString: pointer) } else { nil }
    }

    private static func position(_ mark: yaml_mark_t) -> SourcePosition {
        SourcePosition(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
    }
}
