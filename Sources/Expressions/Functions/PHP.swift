import Bytes

/// What PHP makes of form fields, as far as a signature over `$_POST` needs it (measured with PHP 8.2).
enum PHP {
    /// Fields with the names that PHP gives them, each name once, in the order in which the names first came.
    static func variables(of value: Value) throws(EvaluationError) -> PairBlock {
        if case .pairs(let block, _) = value, isPlain(block) { return block }
        guard let elements = value.elements else { throw .overload(value) }
        var fields: [(name: [UInt8], value: ArraySlice<UInt8>)] = []
        var positions: [[UInt8]: Int] = [:]
        for element in elements {
            guard let rawName = element.lookup(ArraySlice("name".utf8))?.string,
                let content = element.lookup(ArraySlice("value".utf8))?.string
            else { throw .overload(element) }
            guard let (name, isArray) = variable(rawName) else { continue }
            // Joining an array as if it were text gives its type's name.
            let shown = isArray ? ArraySlice("Array".utf8) : content
            if let position = positions[name] {
                fields[position].value = shown
            } else {
                positions[name] = fields.count
                fields.append((name, shown))
            }
        }
        var block = PairBlock()
        for field in fields { block.append(name: field.name.span, value: field.value.span) }
        return block
    }

    /// PHP takes these fields as they are: nothing in a name to change, and no name twice. Nearly every form; one with more
    /// fields than these is left to the dictionary.
    private static func isPlain(_ block: PairBlock) -> Bool {
        guard block.count <= 24 else { return false }
        let bytes = block.bytes.span
        for index in 0..<block.count {
            let name = bytes.extracting(block.entries[index].names)
            guard name.count > 0 else { return false }
            for place in name.indices where name[place] == 0 || isMangled(name[place]) { return false }
            for other in 0..<index where ASCII.equal(bytes.extracting(block.entries[other].names), name) {
                return false
            }
        }
        return true
    }

    /// The name of the variable that a field goes to, and whether it is an array. `nil`: PHP drops the field.
    private static func variable(_ raw: ArraySlice<UInt8>) -> (name: [UInt8], isArray: Bool)? {
        // Names are C strings there.
        let text = raw.prefix { $0 != 0 }.drop { $0 == 0x20 }
        var name: [UInt8] = []
        for (offset, byte) in text.enumerated() {
            if byte == UInt8(ascii: "[") {
                if name.isEmpty { return nil }
                let rest = text.dropFirst(offset + 1)
                if rest.contains(UInt8(ascii: "]")) { return (name, true) }
                // An index without an end is part of the name.
                name.append(UInt8(ascii: "_"))
                name += rest.map { isMangled($0) ? UInt8(ascii: "_") : $0 }
                return (name, false)
            }
            name.append(isMangled(byte) ? UInt8(ascii: "_") : byte)
        }
        return name.isEmpty ? nil : (name, false)
    }

    private static func isMangled(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[")
    }

    /// `ksort` with the default flags. Insertion, because "numbers as numbers, others as text" is no consistent order.
    static func sorted(_ block: PairBlock) -> PairBlock {
        if !block.entries.contains(where: { mayBeNumber($0, block.bytes.span) }) {
            var block = block
            block.sort { a, b, bytes in Value.order(bytes.extracting(a.names), bytes.extracting(b.names)) == .greater }
            return block
        }
        let keys = (0..<block.count).map { block.name(at: $0) }
        let numbers = keys.map { number($0) }
        var order: [Int] = []
        if keys.count > 64 {
            // Insertion would take long; PHP does not insert here either.
            order = keys.indices.sorted {
                isAfter($1, $0, keys, numbers) || (!isAfter($0, $1, keys, numbers) && $0 < $1)
            }
        }
        for index in keys.indices where keys.count <= 64 {
            var place = order.count
            while place > 0, isAfter(order[place - 1], index, keys, numbers) { place -= 1 }
            order.insert(index, at: place)
        }
        var result = PairBlock()
        for index in order {
            let (name, value) = (block.name(at: index), block.value(at: index))
            result.append(name: name.span, value: value.span)
        }
        return result
    }

    private static func isAfter(
        _ a: Int, _ b: Int, _ keys: [ArraySlice<UInt8>], _ numbers: [Double?]
    ) -> Bool {
        if let first = numbers[a], let second = numbers[b] { return first > second }
        let (left, right) = (keys[a], keys[b])
        return Value.order(left.span, right.span) == .greater
    }

    /// False when it is certain that the name is no numeric string.
    private static func mayBeNumber(_ entry: PairBlock.Entry, _ bytes: Span<UInt8>) -> Bool {
        guard entry.nameCount > 0 else { return false }
        switch bytes[Int(entry.nameStart)] {
        case 0x09...0x0D, 0x20, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x30...0x39: return true
        default: return false
        }
    }

    /// A numeric string: blanks around it, a sign, a fraction and an exponent are allowed.
    private static func number(_ text: ArraySlice<UInt8>) -> Double? {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
        var trimmed = text.drop(while: isBlank)
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        let allowed = trimmed.allSatisfy { byte in
            ASCII.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                || byte | 0x20 == UInt8(ascii: "e")
        }
        guard allowed, trimmed.contains(where: ASCII.isDigit) else { return nil }
        let source = String(decoding: trimmed, as: UTF8.self)
        return Double(source) ?? (source.hasSuffix(".") ? Double(source + "0") : nil)
    }
}
