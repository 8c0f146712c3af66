import Bytes

/// Strict RFC 8259 in one pass, without recursion: open containers are linked through their unfinished `next` field, so
/// nesting costs a counter and no stack. Its `end` field holds the count of its children meanwhile.
///
/// A fault is a value here and thrown once, at the end: calls that cannot throw leave the loop more registers.
struct JSONScanner {
    private static let endOfObject: UInt8 = 0x7D

    /// The tape, once `scan` is done. Behind the last node may lie unused ones.
    private(set) var nodes: [JSONNode] = []
    /// 32 bits, as in the nodes. No such number is negative, which spares each `bytes[Int(position)]` half its check.
    private(set) var position: UInt32
    private let limits: JSONLimits
    /// Nodes on the tape.
    private var used: UInt32 = 0
    private var depth = 0
    /// Innermost open container; the outermost, at 0, is its own parent.
    private var open: UInt32 = 0
    /// The byte that ends it; 0 outside of all.
    private var closing: UInt8 = 0
    /// Its children so far; those of the outer ones wait in their nodes.
    private var children: UInt32 = 0

    init(at position: Int, limits: JSONLimits) {
        self.position = UInt32(truncatingIfNeeded: position)
        self.limits = limits
    }

    /// Reads one value and the blanks before it; leaves `position` one past it.
    mutating func scan(_ bytes: Span<UInt8>) throws(JSONError) {
        guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLarge, at: 0) }
        // `fill` asks for room for a member even where an element comes, so one more than may be used.
        let most = limits.nodes + 1
        // Most answers have a node per 8 to 20 bytes; the cap keeps a long string from reserving memory for nothing.
        var room = min((bytes.count - Int(position)) / 8 + 4, 8192, most)
        // Not by appending to the array, which asks at every node whether it is shared and has room.
        let blank = JSONNode(kind: .null, flags: 0, count: 0, start: 0, end: 0, next: 0)
        var nodes = [JSONNode](repeating: blank, count: room)
        while let fault = fill(nodes.mutableSpan, bytes) {
            guard fault == .tooManyNodes, room < most else { throw JSONError(fault, at: Int(position)) }
            let more = min(room, most - room)
            nodes.append(contentsOf: repeatElement(blank, count: more))
            room += more
        }
        guard used <= limits.nodes else { throw JSONError(.tooManyNodes, at: Int(position)) }
        self.nodes = nodes
    }

    mutating func skipBlanks(_ bytes: Span<UInt8>) { position = Self.skipBlanks(bytes, position) }

    /// Value after value, from `position` on, until the outermost one ends, the room does (`.tooManyNodes`), or something
    /// else is wrong at `position`.
    private mutating func fill(_ tape: consuming MutableSpan<JSONNode>, _ bytes: Span<UInt8>) -> JSONError.Kind? {
        var (at, used, closing, children) = (position, used, closing, children)
        var fault: JSONError.Kind?
        scan: while true {
            // Here a member, an element or the outermost value begins.
            guard Int(used) &+ 2 <= tape.count else { fault = .tooManyNodes; break }
            if closing == Self.endOfObject {
                fault = Self.key(bytes, &at, &tape[Int(used)], next: used &+ 1)
                if fault != nil { break }
                used &+= 1
            }
            children &+= 1
            let byte = Self.next(bytes, &at)
            if byte == 0x7B || byte == 0x5B {
                guard depth < limits.depth else { fault = .tooDeep; break }
                tape[Int(open)].end = children
                tape[Int(used)].begin(byte == 0x7B ? .object : .array, at: at, next: open)
                (open, closing, children, depth) = (used, byte &+ 2, 0, depth &+ 1)
                used &+= 1
                at &+= 1
                if Self.next(bytes, &at) != closing { continue }
            } else {
                let leaf = Self.leaf(bytes, byte, &at, &tape[Int(used)], next: used &+ 1)
                used &+= 1
                fault = leaf.fault
                if closing == 0 && leaf.hasPassed { at &-= 1 }
                if closing == 0 || fault != nil { break }
                if leaf.hasPassed { continue }
            }
            // A value has ended, and maybe with it those around it.
            while !Self.pass(0x2C, bytes, &at) {
                guard Self.pass(closing, bytes, &at) else { fault = .unexpectedByte; break scan }
                if close(&tape, at, used, &closing, &children) { break scan }
            }
        }
        (position, self.used, self.closing, self.children) = (at, used, closing, children)
        return fault == .unexpectedByte && Int(at) >= bytes.count ? .unexpectedEnd : fault
    }

    /// Ends the innermost container and goes on with the one around it; `true` when there is none.
    @inline(__always)
    private mutating func close(
        _ tape: inout MutableSpan<JSONNode>, _ at: UInt32, _ used: UInt32, _ closing: inout UInt8,
        _ children: inout UInt32
    ) -> Bool {
        let index = Int(open)
        open = tape[index].next
        tape[index].end = at
        tape[index].next = used
        tape[index].count = UInt16(clamping: children)
        guard index != 0 else { return true }
        depth &-= 1
        children = tape[Int(open)].end
        closing = tape[Int(open)].kind == .object ? Self.endOfObject : 0x5D
        return false
    }
}
