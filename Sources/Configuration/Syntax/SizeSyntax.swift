/// `64KiB`, `10MiB`, `1GiB`, `100B` or plain bytes. Decimal units are refused: `10MB` means two things.
enum SizeSyntax {
    private static let units: [(name: String, bytes: UInt64)] = [
        ("", 1), ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
    ]

    static func parse(_ text: String) -> UInt64? {
        let bytes = Array(text.utf8)
        var index = 0
        guard let (number, scale) = Decimal.scan(bytes, at: &index) else { return nil }
        let name = String(decoding: bytes[index...], as: UTF8.self)
        guard let unit = units.first(where: { $0.name == name })?.bytes else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit)
        // Up to 2^53, so that every reader of the plan's dump reads it exactly; also fits `Int`.
        guard !overflow, product % scale == 0, product / scale <= 1 << 53 else { return nil }
        return product / scale
    }

    static func text(_ bytes: UInt64) -> String {
        for unit in units.reversed() where unit.bytes > 1 && bytes > 0 && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return String(bytes)
    }
}
