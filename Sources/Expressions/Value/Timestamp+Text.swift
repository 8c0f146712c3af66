import Bytes

extension Timestamp {
    /// `2026-01-02T03:04:05Z`, with the fraction only when there is one and without trailing zeros (RFC 3339).
    func appendRFC3339(to output: inout [UInt8]) {
        let date = CivilTime(seconds: seconds)
        Timestamp.append(date.year, width: 4, to: &output)
        output.append(UInt8(ascii: "-"))
        Timestamp.append(date.month, width: 2, to: &output)
        output.append(UInt8(ascii: "-"))
        Timestamp.append(date.day, width: 2, to: &output)
        output.append(UInt8(ascii: "T"))
        Timestamp.append(date.hour, width: 2, to: &output)
        output.append(UInt8(ascii: ":"))
        Timestamp.append(date.minute, width: 2, to: &output)
        output.append(UInt8(ascii: ":"))
        Timestamp.append(date.second, width: 2, to: &output)
        Timestamp.append(fraction: UInt64(nanoseconds.magnitude), to: &output)
        output.append(UInt8(ascii: "Z"))
    }

    /// Decimal digits, padded with zeros on the left.
    static func append(_ number: Int, width: Int, to output: inout [UInt8]) {
        var digits: [UInt8] = []
        digits.append(decimal: UInt64(number.magnitude))
        for _ in 0..<max(0, width - digits.count) { output.append(UInt8(ascii: "0")) }
        output.append(contentsOf: digits)
    }

    /// `.5` for 500 000 000; nothing for zero.
    static func append(fraction nanoseconds: UInt64, to output: inout [UInt8]) {
        guard nanoseconds > 0 else { return }
        output.append(UInt8(ascii: "."))
        append(Int(truncatingIfNeeded: nanoseconds), width: 9, to: &output)
        while output.last == UInt8(ascii: "0") { output.removeLast() }
    }
}

extension Timestamp {
    /// RFC 3339 text with an offset or `Z`; nil for anything else.
    package init?(rfc3339 text: ArraySlice<UInt8>) {
        guard let time = TimeText.timestamp(text) else { return nil }
        self = time
    }
}
