import Bytes

/// Finds any of many patterns in one pass: a bit per pair of first bytes rules out nearly every position with one load,
/// then the first four bytes lead to the candidates.
struct PatternIndex {
    /// Every pattern has at least this many bytes; the shortest base64 spelling of a 4-byte secret has exactly 4.
    private static let keyLength = 4

    private var patterns: [SecretPattern] = []
    private var byKey: [UInt32: [Int]] = [:]
    /// 65,536 bits; empty while there is no pattern.
    private var filter: [UInt64] = []

    var isEmpty: Bool { patterns.isEmpty }

    mutating func insert(_ secret: [UInt8]) {
        if filter.isEmpty { filter = [UInt64](repeating: 0, count: 1024) }
        for pattern in SecretPattern.spellings(of: secret) where pattern.bytes.count >= Self.keyLength {
            let pair = Int(pattern.bytes[0]) << 8 | Int(pattern.bytes[1])
            filter[pair >> 6] |= 1 << UInt64(pair & 63)
            byKey[Self.key(pattern.bytes.span, 0), default: []].append(patterns.count)
            patterns.append(pattern)
        }
    }

    /// Calls `found` with the range of every match of every pattern.
    func matches(in text: Span<UInt8>, _ found: (Range<Int>) -> Void) {
        guard !patterns.isEmpty, text.count >= Self.keyLength else { return }
        let filter = self.filter.span
        var pair = Int(text[0])
        for start in 0...text.count - Self.keyLength {
            pair = (pair << 8 | Int(text[start + 1])) & 0xFFFF
            guard filter[pair >> 6] >> UInt64(pair & 63) & 1 != 0 else { continue }
            guard let candidates = byKey[Self.key(text, start)] else { continue }
            for candidate in candidates {
                let pattern = patterns[candidate]
                let end = start + pattern.bytes.count
                guard end <= text.count, ASCII.equal(text.extracting(start..<end), pattern.bytes.span) else { continue }
                let lower = pattern.startsInside && start > 0 && Self.isBase64(text[start - 1]) ? start - 1 : start
                let upper = pattern.endsInside && end < text.count && Self.isBase64(text[end]) ? end + 1 : end
                found(lower..<upper)
            }
        }
    }

    private static func key(_ bytes: Span<UInt8>, _ start: Int) -> UInt32 {
        UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16 | UInt32(bytes[start + 2]) << 8
            | UInt32(bytes[start + 3])
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == 0x2B || byte == 0x2F || byte == 0x2D || byte == 0x5F
    }
}
