import Bytes

extension JSONValue {
    /// Value of the first member with this key, compared as bytes after unescaping (never as Swift strings: those take
    /// NFC and NFD for equal). `nil` when there is none, and for another kind.
    package func member(_ key: Span<UInt8>) -> JSONValue? {
        guard let found = firstKey(key, from: Int(node) + 1) else { return nil }
        return JSONValue(document: document, node: found + 1)
    }

    /// As `member(_:)` for a constant key. Allocates: in a hot path keep the key's bytes.
    package func member(_ key: StaticString) -> JSONValue? { member(key.bytes.span) }

    /// Linear in `index`: iterate `elements` to visit all. `nil` out of range, and for another kind.
    package func element(at index: Int) -> JSONValue? {
        guard kind == .array, index >= 0 else { return nil }
        let nodes = document.nodes
        let end = Int(nodes[Int(node)].next)
        var child = Int(node) + 1
        var rest = index
        while child < end, rest > 0 {
            child = Int(nodes[child].next)
            rest -= 1
        }
        return child < end ? JSONValue(document: document, node: child) : nil
    }

    /// The array's elements in order; empty for another kind.
    package var elements: JSONElements { JSONElements(of: self) }

    /// The object's members in order, duplicates included; empty for another kind.
    package var members: JSONMembers { JSONMembers(of: self) }

    /// RFC 6901: `""` is the value itself, `/a/0/b~1c` walks down. `nil` where a step finds nothing, and for a pointer
    /// that does not begin with `/` or holds a broken `~` escape.
    package func pointer(_ pointer: Span<UInt8>) -> JSONValue? {
        var value = self
        var start = 0
        while start < pointer.count {
            guard pointer[start] == 0x2F else { return nil }
            start += 1
            var end = start
            var isEscaped = false
            while end < pointer.count, pointer[end] != 0x2F {
                isEscaped = isEscaped || pointer[end] == 0x7E
                end += 1
            }
            let token = pointer.extracting(start..<end)
            let next: JSONValue?
            if isEscaped {
                guard let plain = Self.unescaped(token) else { return nil }
                next = value.child(plain.span)
            } else {
                next = value.child(token)
            }
            guard let next else { return nil }
            value = next
            start = end
        }
        return value
    }

    private func child(_ token: Span<UInt8>) -> JSONValue? {
        guard kind == .array else { return member(token) }
        // RFC 6901 4: no leading zeros, and `-` names the element after the last, which does not exist.
        guard token.count == 1 || (token.count > 1 && token[0] != 0x30) else { return nil }
        guard let index = ASCII.decimal(token), index < UInt64(Int32.max) else { return nil }
        return element(at: Int(index))
    }

    /// A step of a pointer without its escapes; `nil` when one is broken.
    package static func unescaped(_ token: Span<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        var index = 0
        while index < token.count {
            guard token[index] == 0x7E else {
                output.append(token[index])
                index += 1
                continue
            }
            guard index + 1 < token.count, token[index + 1] == 0x30 || token[index + 1] == 0x31 else { return nil }
            output.append(token[index + 1] == 0x30 ? 0x7E : 0x2F)
            index += 2
        }
        return output
    }

    /// Index of the first key node that says `key`, from the key node `from` on.
    private func firstKey(_ key: Span<UInt8>, from: Int) -> Int? {
        let nodes = document.nodes
        guard nodes[Int(node)].kind == .object else { return nil }
        let end = Int(nodes[Int(node)].next)
        var index = from
        while index < end {
            if nodes[index].flags == 0 {
                let (start, stop) = (Int(nodes[index].start) + 1, Int(nodes[index].end) - 1)
                if stop - start == key.count {
                    let bytes = document.bytes
                    if ASCII.equal(bytes.span.extracting(start..<stop), key) { return index }
                }
            } else if JSONValue(document: document, node: index).equals(key) {
                return index
            }
            index = Int(nodes[index + 1].next)
        }
        return nil
    }
}
