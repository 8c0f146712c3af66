/// `500ms`, `3s`, `5m`, `1h`; also `1m30s` and `1.5s`. Nanoseconds.
enum DurationSyntax {
    /// Longest duration: a year. Sums of a few of them stay far from overflow.
    static let longest: UInt64 = 365 * 86_400 * 1_000_000_000

    /// Shortest pause between two requests that the gateway makes of itself, with no client behind them: 20 a second are
    /// enough to see a server that comes back, and no load.
    static let shortestInterval: UInt64 = 50_000_000

    private static let units: [(name: String, nanoseconds: UInt64)] = [
        ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ("d", 86_400_000_000_000),
    ]

    static func parse(_ text: String) -> UInt64? {
        if text == "0" { return 0 }
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= 32 else { return nil }
        var (index, total, last) = (0, UInt64(0), UInt64.max)
        while index < bytes.count {
            guard let (number, scale) = Decimal.scan(bytes, at: &index) else { return nil }
            let start = index
            while index < bytes.count, bytes[index] &- 0x61 < 26 { index += 1 }
            let name = String(decoding: bytes[start..<index], as: UTF8.self)
            // Units get smaller from left to right: `1m30s`, never `30s1m` or `1s1s`.
            guard let unit = units.first(where: { $0.name == name })?.nanoseconds, unit < last else { return nil }
            last = unit
            let (product, overflow) = number.multipliedReportingOverflow(by: unit)
            guard !overflow else { return nil }
            let (sum, carry) = total.addingReportingOverflow(product / scale)
            guard !carry, sum <= longest else { return nil }
            total = sum
        }
        return total
    }

    /// Shortest way to write it.
    static func text(_ nanoseconds: UInt64) -> String {
        for unit in units.reversed() where unit.name != "d" && nanoseconds > 0 && nanoseconds % unit.nanoseconds == 0 {
            return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
        }
        return nanoseconds == 0 ? "0s" : "\(nanoseconds / 1_000_000)ms"
    }
}
