import Bytes

/// Paths, queries and their encodings beyond `url.encode`.
extension FunctionTable {
    static let addresses: [Function] = [
        Function(
            "url.encodeExcept(string|bytes, string) -> string",
            summary: "Percent-encoding of all but A to Z, a to z, 0 to 9 and the characters listed (ASCII): "
                + "`-_.!~*'()` is JavaScript's encodeURIComponent, `-_.*` Java's URLEncoder before its `+`.",
            example: "url.encodeExcept('a*b c~', '-_.*') == 'a*b%20c%7E'",
            body: .binary { text, kept throws(EvaluationError) in
                let (text, kept) = (try text.requireContents(), try kept.requireString())
                guard kept.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .argument("characters to keep") }
                return .text(encode(text) { ASCII.isAlpha($0) || ASCII.isDigit($0) || kept.contains($0) })
            }),
        Function(
            "url.encodeLower(string|bytes) -> string", summary: "As `url.encode`, with a to f in the escapes.",
            example: "url.encodeLower('a=b/') == 'a%3db%2f'",
            body: .unary { text throws(EvaluationError) in
                .text(encode(try text.requireContents(), upper: false, keeping: Percent.isUnreserved))
            }),
        Function(
            "url.canonicalQuery(pairs|list|string) -> string",
            summary:
                "`a=1&b=` sorted by encoded name and then by encoded value (RFC 3986); a name without a value keeps its "
                + "`=`. Of a text, its decoded fields.",
            example: "url.canonicalQuery('b=%7e&a=x+y&b') == 'a=x%20y&b=&b=~'",
            body: .unary { value throws(EvaluationError) in
                let block: PairBlock
                if let text = value.string {
                    block = Percent.pairs(text.span)
                } else {
                    block = try PairList.block(value)
                }
                let encoded = PairList.sorted(PairList.mapped(block, name: percent, value: percent))
                return .text(PairList.joined(encoded, [0x3D], [0x26]))
            }),
        Function(
            "path.normalize(string) -> string",
            summary:
                "Without empty and `.` segments, `..` taking the one before with it (RFC 3986 5.2.4); a slash at the end "
                + "stays.",
            example: "path.normalize('/a//b/./../c/') == '/a/c/'",
            body: .unary { path throws(EvaluationError) in .text(normalized(try path.requireString())) }),
    ]

    private static func encode(
        _ text: ArraySlice<UInt8>, upper: Bool = true, keeping isKept: (UInt8) -> Bool
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        for byte in text {
            if isKept(byte) {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(contentsOf: Hex.encode([byte].span, upper: upper))
            }
        }
        return output
    }

    private static func percent(_ text: [UInt8]) -> [UInt8] { encode(text[...], keeping: Percent.isUnreserved) }

    private static func normalized(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        let pieces = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for piece in pieces where !piece.isEmpty && !piece.elementsEqual([0x2E]) {
            if piece.elementsEqual([0x2E, 0x2E]) { _ = kept.popLast() } else { kept.append(piece) }
        }
        var output: [UInt8] = []
        for piece in kept { output += [0x2F] + piece }
        let last = pieces.last ?? []
        let isFolder = last.isEmpty || last.elementsEqual([0x2E]) || last.elementsEqual([0x2E, 0x2E])
        if output.isEmpty || isFolder { output.append(0x2F) }
        return output
    }
}
