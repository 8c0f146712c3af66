import Bytes

/// Languages of the texts that the gateway makes itself.
package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"

    /// Picks by `Accept-Language` (RFC 9110 12.5.4, basic filtering on the primary subtag): the highest weight wins, the
    /// first named among equals; `q=0` excludes; `*` stands for what is not named. Every `zh` (CN, TW, Hans, Hant) gets
    /// Simplified Chinese, the only Chinese there is. Absent, empty, broken, or nothing that we speak: English.
    package static func negotiate(acceptLanguage: ArraySlice<UInt8>?) -> Language {
        guard let value = acceptLanguage, value.count <= 1024 else { return .english }
        // Weights in thousandths; -1 = not named.
        var (english, chinese, anything) = (-1, -1, -1)
        var firstIsChinese = false
        for item in value.split(separator: 0x2C) {
            let pieces = item.split(separator: 0x3B, maxSplits: 1, omittingEmptySubsequences: false)
            let weight = pieces.count > 1 ? quality(pieces[1]) : 1000
            guard let weight, let range = pieces.first else { continue }
            switch primary(of: ASCII.trimmed(range)) {
            case .named(.english): english = Swift.max(english, weight)
            case .named(.simplifiedChinese):
                if english < weight { firstIsChinese = true }
                chinese = Swift.max(chinese, weight)
            case .anything: anything = Swift.max(anything, weight)
            case .other: continue
            }
        }
        if english < 0 { english = Swift.max(anything, 0) }
        if chinese < 0 { chinese = Swift.max(anything, 0) }
        if chinese == english { return firstIsChinese && chinese > 0 ? .simplifiedChinese : .english }
        return chinese > english ? .simplifiedChinese : .english
    }

    private enum Primary { case named(Language), anything, other }

    private static func primary(of range: ArraySlice<UInt8>) -> Primary {
        if range.elementsEqual([0x2A]) { return .anything }
        let bytes = Array(range.prefix(3))
        guard bytes.count == 2 || (bytes.count == 3 && bytes[2] == 0x2D) else { return .other }
        switch (ASCII.lower(bytes[0]), ASCII.lower(bytes[1])) {
        case (0x65, 0x6E): return .named(.english)
        case (0x7A, 0x68): return .named(.simplifiedChinese)
        default: return .other
        }
    }

    /// `q=0.8` in thousandths; `nil` when it is no weight, which drops the item.
    private static func quality(_ text: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(ASCII.trimmed(text))
        guard bytes.count >= 3, bytes.count <= 7, ASCII.lower(bytes[0]) == 0x71, bytes[1] == 0x3D,
            bytes[2] == 0x30 || bytes[2] == 0x31
        else { return nil }
        var value = Int(bytes[2] - 0x30) * 1000
        guard bytes.count == 3 || bytes[3] == 0x2E else { return nil }
        var place = 100
        for digit in bytes.dropFirst(4) {
            guard ASCII.isDigit(digit) else { return nil }
            value += Int(digit - 0x30) * place
            place /= 10
        }
        return value <= 1000 ? value : nil
    }
}
