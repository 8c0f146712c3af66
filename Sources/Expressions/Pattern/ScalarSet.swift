/// A character class.
struct ScalarSet: Sendable {
    enum Item: Sendable {
        case range(UInt32, UInt32)
        case digit, word, space
        /// A Unicode general category (`Lu`) or its first letter (`L`).
        case category(String)
        indirect case not(Item)

        func contains(_ scalar: UInt32) -> Bool {
            switch self {
            case .range(let low, let high): low <= scalar && scalar <= high
            case .digit: scalar &- 0x30 < 10
            case .word: scalar &- 0x30 < 10 || (scalar | 0x20) &- 0x61 < 26 || scalar == 0x5F
            case .space: scalar == 0x20 || (scalar >= 0x09 && scalar <= 0x0D && scalar != 0x0B)
            case .category(let name): ScalarSet.category(of: scalar).hasPrefix(name)
            case .not(let item): !item.contains(scalar)
            }
        }
    }

    private let items: [Item]
    private let isNegated: Bool
    private let foldsCase: Bool
    /// The answers for ASCII.
    private var low: (UInt64, UInt64) = (0, 0)

    init(_ items: [Item], isNegated: Bool = false, foldsCase: Bool = false) {
        self.items = items
        self.isNegated = isNegated
        self.foldsCase = foldsCase
        for scalar in 0..<UInt32(64) where slowly(scalar) { low.0 |= 1 << UInt64(scalar) }
        for scalar in 64..<UInt32(128) where slowly(scalar) { low.1 |= 1 << UInt64(scalar - 64) }
    }

    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return low.0 >> UInt64(scalar) & 1 == 1 }
        if scalar < 128 { return low.1 >> UInt64(scalar - 64) & 1 == 1 }
        return slowly(scalar)
    }

    private func slowly(_ scalar: UInt32) -> Bool {
        var found = items.contains { $0.contains(scalar) }
        if !found, foldsCase {
            found = ScalarSet.variants(of: scalar).contains { variant in items.contains { $0.contains(variant) } }
        }
        return found != isNegated
    }

    /// The other cases of a letter, where one code point maps to one.
    static func variants(of scalar: UInt32) -> [UInt32] {
        guard let unicode = UnicodeScalar(scalar) else { return [] }
        let mappings = [unicode.properties.lowercaseMapping, unicode.properties.uppercaseMapping]
        return mappings.compactMap { mapping in
            let scalars = mapping.unicodeScalars
            guard scalars.count == 1, let only = scalars.first, only.value != scalar else { return nil }
            return only.value
        }
    }

    static let categories: Set<String> = [
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
        "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cs", "Co", "Cn",
    ]

    private static func category(of scalar: UInt32) -> String {
        guard let unicode = UnicodeScalar(scalar) else { return "Cn" }
        return switch unicode.properties.generalCategory {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
