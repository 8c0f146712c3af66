import Bytes

/// Reads one document from left to right; depth is a counter, not recursion.
struct XMLScanner {
    let bytes: [UInt8]
    let limits: XMLLimits
    private let anyCharset: Bool
    var index = 0
    var nodes = 0
    private var elements: [XMLElement] = []
    private var open: [Int] = []

    init(_ bytes: [UInt8], _ limits: XMLLimits, anyCharset: Bool) {
        self.bytes = bytes
        self.anyCharset = anyCharset
        self.limits = limits
    }

    func fault(_ kind: XMLError.Kind = .malformed) -> XMLError { XMLError(kind: kind, offset: index) }

    mutating func document() throws(XMLError) -> [XMLElement] {
        try checkCharacters()
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        if starts("<?xml"), index + 5 < bytes.count, XMLText.isBlank(bytes[index + 5]) { try skip(past: "?>") }
        while index < bytes.count {
            if bytes[index] == 0x3C {
                try markup()
            } else if open.isEmpty {
                guard XMLText.isBlank(bytes[index]) else { throw fault() }
                index += 1
            } else {
                try text()
            }
        }
        guard open.isEmpty, !elements.isEmpty else { throw fault() }
        return elements
    }

    /// XML 1.0 2.2: which characters may be there at all.
    private mutating func checkCharacters() throws(XMLError) {
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 || anyCharset {
                if byte < 0x20, !XMLText.isBlank(byte) { index = position; throw fault() }
                position += 1
                continue
            }
            let length = UTF8Sequence.length(bytes.span, at: position)
            if length == 0
                || (length == 3 && byte == 0xEF && bytes[position + 1] == 0xBF && bytes[position + 2] >= 0xBE)
            {
                index = position
                throw fault()
            }
            position += length
        }
    }

    private mutating func markup() throws(XMLError) {
        if starts("</") { return try endTag() }
        if starts("<!--") { return try comment() }
        if starts("<![CDATA[") { return try section() }
        if starts("<!DOCTYPE") { throw fault(.documentType) }
        if starts("<?") {
            index += 2
            let target = try name()
            // Only the very beginning may say `<?xml`.
            guard target.map(ASCII.lower) != Array("xml".utf8) else { throw fault() }
            return try skip(past: "?>")
        }
        try startTag()
    }

    private mutating func startTag() throws(XMLError) {
        guard !open.isEmpty || elements.isEmpty else { throw fault() }
        guard open.count < limits.depth else { throw fault(.tooDeep) }
        let start = index
        index += 1
        var element = XMLElement(name: try name(), at: start)
        try count()
        while true {
            let hadBlank = skipBlanks()
            guard index < bytes.count else { throw fault() }
            if bytes[index] == 0x3E || bytes[index] == 0x2F { break }
            guard hadBlank else { throw fault() }
            let attribute = try attribute()
            guard !element.attributes.contains(where: { $0.name == attribute.name }) else { throw fault() }
            // A quadratic search: few attributes are normal.
            guard element.attributes.count < 64 else { throw fault(.tooMany) }
            element.attributes.append(attribute)
        }
        let isEmpty = bytes[index] == 0x2F
        if isEmpty { index += 1 }
        guard index < bytes.count, bytes[index] == 0x3E else { throw fault() }
        index += 1
        (element.whole, element.content) = (start..<index, index..<index)
        if let parent = open.last { elements[parent].children.append(elements.count) }
        if !isEmpty { open.append(elements.count) }
        elements.append(element)
    }

    private mutating func endTag() throws(XMLError) {
        let start = index
        index += 2
        let name = try name()
        guard let last = open.popLast(), elements[last].name == name else { throw fault() }
        _ = skipBlanks()
        guard index < bytes.count, bytes[index] == 0x3E else { throw fault() }
        index += 1
        let element = elements[last]
        elements[last].content = element.content.lowerBound..<start
        elements[last].whole = element.whole.lowerBound..<index
    }

    private mutating func comment() throws(XMLError) {
        index += 4
        try skip(past: "--")
        guard index < bytes.count, bytes[index] == 0x3E else { throw fault() }
        index += 1
    }

    private mutating func section() throws(XMLError) {
        guard let element = open.last else { throw fault() }
        index += 9
        let start = index
        try skip(past: "]]>")
        append(start..<index - 3, to: element)
    }

    private mutating func text() throws(XMLError) {
        guard let element = open.last else { throw fault() }
        let start = index
        while index < bytes.count, bytes[index] != 0x3C {
            if bytes[index] == 0x26 {
                append(start..<index, to: element)
                let decoded = try reference()
                return elements[element].append(decoded[...], range: nil)
            }
            if bytes[index] == 0x5D, starts("]]>") { throw fault() }
            index += 1
        }
        append(start..<index, to: element)
    }

    /// XML 1.0 2.11: CR LF and CR are LF.
    private mutating func append(_ range: Range<Int>, to element: Int) {
        let piece = bytes[range]
        guard piece.contains(0x0D) else { return elements[element].append(piece, range: range) }
        var plain: [UInt8] = []
        plain.reserveCapacity(piece.count)
        for position in range {
            if bytes[position] != 0x0D {
                plain.append(bytes[position])
            } else if position + 1 >= range.upperBound || bytes[position + 1] != 0x0A {
                plain.append(0x0A)
            }
        }
        elements[element].append(plain[...], range: nil)
    }
}
