import Bytes

/// Strict RFC 8259 in one pass, without recursion: open containers are linked through their unfinished `next` field, so
/// nesting costs a counter and no stack. Its `end` field holds the count of its children meanwhile.
struct JSONScanner {
    private static let none = UInt32.max
    private static let trueWord: [UInt8] = [0x74, 0x72, 0x75, 0x65]
    private static let falseWord: [UInt8] = [0x66, 0x61, 0x6C, 0x73, 0x65]
    private static let nullWord: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]

    /// The tape, once `scan` is done.
    private(set) var nodes: [JSONNode] = []
    var position: Int
    private let limits: JSONLimits
    private var depth = 0
    /// Innermost open container.
    private var open = Self.none
    private var isInObject = false
    /// Children of the innermost container so far; those of the outer ones wait in their nodes.
    private var children = 0
    /// The innermost container has no child yet: its end may come without a comma rule.
    private var isFresh = false

    init(at position: Int, limits: JSONLimits) {
        self.position = position
        self.limits = limits
    }

    /// Reads one value and the blanks before it; leaves `position` one past it.
    mutating func scan(_ bytes: Span<UInt8>) throws(JSONError) {
        guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLarge, at: 0) }
        // Most answers have a node per 8 to 20 bytes; the cap keeps a long string from reserving memory for nothing.
        var room = min((bytes.count - position) / 8 + 4, 8192)
        repeat {
            // Not by appending to an array, which asks at every node whether it is shared and has room.
            let done = nodes
            nodes = try [JSONNode](capacity: room) { (tape: inout OutputSpan<JSONNode>) throws(JSONError) in
                for node in done { tape.append(node) }
                try fill(&tape, bytes)
            }
            room *= 2
        } while open != Self.none
    }

    /// Until the value ends or the room does.
    private mutating func fill(_ tape: inout OutputSpan<JSONNode>, _ bytes: Span<UInt8>) throws(JSONError) {
        if tape.isEmpty {
            let first = try next(bytes)
            try value(bytes, first, &tape)
        }
        while open != Self.none, tape.freeCapacity >= 2 { try step(bytes, &tape) }
    }

    mutating func skipBlanks(_ bytes: Span<UInt8>) {
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            if byte > 0x20 { break }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            index &+= 1
        }
        position = index
    }

    /// Elements or members of the innermost container up to one that is a container, or its end.
    private mutating func step(_ bytes: Span<UInt8>, _ tape: inout OutputSpan<JSONNode>) throws(JSONError) {
        var byte = try next(bytes)
        if byte == (isInObject ? 0x7D : 0x5D) { return close(&tape) }
        if isFresh {
            isFresh = false
        } else {
            guard byte == 0x2C else { throw JSONError(.unexpectedByte, at: position) }
            position &+= 1
            byte = try next(bytes)
        }
        while true {
            if isInObject { byte = try key(bytes, byte, &tape) }
            children &+= 1
            try value(bytes, byte, &tape)
            // The usual way on, without another look at where we are.
            guard !isFresh, tape.freeCapacity >= 2, position < bytes.count, bytes[position] == 0x2C else { return }
            position &+= 1
            byte = try next(bytes)
        }
    }

    /// A key and its colon; the first byte of the value.
    @inline(__always)
    private mutating func key(
        _ bytes: Span<UInt8>, _ byte: UInt8, _ tape: inout OutputSpan<JSONNode>
    ) throws(JSONError) -> UInt8 {
        guard byte == 0x22 else { throw JSONError(.unexpectedByte, at: position) }
        try string(bytes, &tape)
        guard try next(bytes) == 0x3A else { throw JSONError(.unexpectedByte, at: position) }
        position &+= 1
        return try next(bytes)
    }

    /// The value whose first byte, at `position`, is `byte`.
    @inline(__always)
    private mutating func value(
        _ bytes: Span<UInt8>, _ byte: UInt8, _ tape: inout OutputSpan<JSONNode>
    ) throws(JSONError) {
        switch byte {
        case 0x22: try string(bytes, &tape)
        case 0x7B: try begin(.object, &tape)
        case 0x5B: try begin(.array, &tape)
        case 0x2D, 0x30...0x39: try number(bytes, &tape)
        case 0x74: try word(bytes, Self.trueWord, .bool, JSONNode.isTrue, &tape)
        case 0x66: try word(bytes, Self.falseWord, .bool, 0, &tape)
        case 0x6E: try word(bytes, Self.nullWord, .null, 0, &tape)
        default: throw JSONError(.unexpectedByte, at: position)
        }
    }

    /// The next byte that is no blank, at which `position` then stands.
    @inline(__always)
    private mutating func next(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
        if position < bytes.count {
            let byte = bytes[position]
            if byte > 0x20 { return byte }
        }
        skipBlanks(bytes)
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        return bytes[position]
    }

    @inline(__always)
    mutating func append(
        _ kind: JSONKind, flags: UInt8, from start: Int, _ tape: inout OutputSpan<JSONNode>
    ) throws(JSONError) {
        guard tape.count < limits.nodes else { throw JSONError(.tooManyNodes, at: start) }
        tape.append(
            JSONNode(
                kind: kind, flags: flags, count: 0, start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: position), next: UInt32(truncatingIfNeeded: tape.count &+ 1)))
    }

    private mutating func begin(_ kind: JSONKind, _ tape: inout OutputSpan<JSONNode>) throws(JSONError) {
        guard depth < limits.depth else { throw JSONError(.tooDeep, at: position) }
        depth &+= 1
        let index = UInt32(truncatingIfNeeded: tape.count)
        try append(kind, flags: 0, from: position, &tape)
        tape[Int(index)].next = open
        if open != Self.none { tape[Int(open)].end = UInt32(truncatingIfNeeded: children) }
        children = 0
        open = index
        isInObject = kind == .object
        isFresh = true
        position &+= 1
    }

    private mutating func close(_ tape: inout OutputSpan<JSONNode>) {
        position &+= 1
        depth &-= 1
        let index = Int(open)
        open = tape[index].next
        tape[index].end = UInt32(truncatingIfNeeded: position)
        tape[index].next = UInt32(truncatingIfNeeded: tape.count)
        tape[index].count = UInt16(clamping: children)
        isFresh = false
        guard open != Self.none else { return }
        children = Int(tape[Int(open)].end)
        isInObject = tape[Int(open)].kind == .object
    }

    private mutating func word(
        _ bytes: Span<UInt8>, _ text: [UInt8], _ kind: JSONKind, _ flags: UInt8,
        _ tape: inout OutputSpan<JSONNode>
    ) throws(JSONError) {
        let start = position
        for offset in 0..<text.count {
            guard start + offset < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
            guard bytes[start + offset] == text[offset] else { throw JSONError(.unexpectedByte, at: start + offset) }
        }
        position = start + text.count
        try append(kind, flags: flags, from: start, &tape)
    }
}
