import Bytes
import CCurl
import CCurlShims
import Domain

/// The head of one request in the form libcurl reads it: a linked list of NUL-terminated lines, in one block of memory that
/// the handle keeps. `curl_slist_append` would be two mallocs per field; libcurl only walks the list, and never past the
/// removal of the handle.
@safe struct HeaderArena: ~Copyable {
    private var nodes: UnsafeMutablePointer<curl_slist>
    private var nodeCapacity: Int
    private var nodeCount = 0
    private var text: UnsafeMutablePointer<CChar>
    private var textCapacity: Int
    private var textCount = 0

    init() {
        (nodeCapacity, textCapacity) = (32, 2048)
        unsafe nodes = .allocate(capacity: nodeCapacity)
        unsafe text = .allocate(capacity: textCapacity)
    }

    deinit {
        unsafe nodes.deallocate()
        unsafe text.deallocate()
    }

    /// Forgets the content and makes room; pointers handed out before become invalid.
    mutating func reset(lines: Int, bytes: Int) {
        (nodeCount, textCount) = (0, 0)
        if lines > nodeCapacity {
            unsafe nodes.deallocate()
            nodeCapacity = lines
            unsafe nodes = .allocate(capacity: lines)
        }
        if bytes > textCapacity {
            unsafe text.deallocate()
            textCapacity = bytes
            unsafe text = .allocate(capacity: bytes)
        }
    }

    /// A C string of the bytes; `nil` when there is no room or a byte is NUL or ends a line (a head must not be split).
    mutating func string(_ bytes: Span<UInt8>) -> ArenaText? {
        let start = textCount
        guard put(bytes), end() else { return nil }
        return unsafe ArenaText(text + start)
    }

    /// Raw bytes without a terminator, for small bodies; `nil` when there is no room.
    mutating func raw(_ bytes: Span<UInt8>) -> ArenaText? {
        guard textCount + bytes.count <= textCapacity else { return nil }
        let start = unsafe text + textCount
        for index in bytes.indices { unsafe start[index] = CChar(bitPattern: bytes[index]) }
        textCount += bytes.count
        return unsafe ArenaText(start)
    }

    /// One field; libcurl's notation for an empty value is `Name;`. False: see `string`.
    mutating func field(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        let start = textCount
        let isBlank = value.indices.allSatisfy { value[$0] == 0x20 || value[$0] == 0x09 }
        guard !name.isEmpty, put(name) else { return false }
        if isBlank { return put(0x3B) && end() && link(start) }
        return put(0x3A) && put(0x20) && put(value) && end() && link(start)
    }

    /// A line as it is: `Expect:` keeps libcurl from adding that field.
    mutating func line(_ literal: StaticString) -> Bool {
        let start = textCount
        let isPut = literal.withUTF8Buffer { unsafe put($0.span) }
        return isPut && end() && link(start)
    }

    /// The list; `nil` when empty.
    var list: UnsafeMutablePointer<curl_slist>? { nodeCount > 0 ? unsafe nodes : nil }

    private mutating func link(_ start: Int) -> Bool {
        guard nodeCount < nodeCapacity else { return false }
        let node = unsafe nodes + nodeCount
        unsafe node.initialize(to: curl_slist(data: text + start, next: nil))
        if nodeCount > 0 { unsafe nodes[nodeCount - 1].next = node }
        nodeCount += 1
        return true
    }

    private mutating func put(_ bytes: Span<UInt8>) -> Bool {
        guard textCount + bytes.count < textCapacity else { return false }
        let start = unsafe text + textCount
        var isClean = true
        for index in bytes.indices {
            let byte = bytes[index]
            isClean = isClean && byte != 0 && byte != 0x0A && byte != 0x0D
            unsafe start[index] = CChar(bitPattern: byte)
        }
        textCount += bytes.count
        return isClean
    }

    private mutating func put(_ byte: UInt8) -> Bool {
        guard textCount < textCapacity else { return false }
        unsafe text[textCount] = CChar(bitPattern: byte)
        textCount += 1
        return true
    }

    private mutating func end() -> Bool { put(0 as UInt8) }
}
