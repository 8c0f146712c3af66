/// One event of the parser, copied out of libyaml's memory.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(YAMLScalar)
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd
    }
    var kind: Kind
    var position: SourcePosition
    var anchor: String?
    var hasTag = false
}
