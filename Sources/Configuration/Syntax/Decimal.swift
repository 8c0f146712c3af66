/// `12` or `1.5` as an integer and the power of ten to divide by.
enum Decimal {
    static func scan(_ bytes: [UInt8], at index: inout Int) -> (number: UInt64, scale: UInt64)? {
        var (number, scale, digits, hasPoint) = (UInt64(0), UInt64(1), 0, false)
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x2E, !hasPoint, digits > 0 {
                hasPoint = true
            } else if byte &- 0x30 < 10 {
                let (product, overflow) = number.multipliedReportingOverflow(by: 10)
                let (sum, carry) = product.addingReportingOverflow(UInt64(byte &- 0x30))
                guard !overflow, !carry else { return nil }
                number = sum
                digits += 1
                // Three decimals are the finest unit's worth; more are a slip.
                if hasPoint { scale *= 10 }
                guard scale <= 1000 else { return nil }
            } else {
                break
            }
            index += 1
        }
        guard digits > 0, index == 0 || bytes[index - 1] != 0x2E else { return nil }
        return (number, scale)
    }
}
