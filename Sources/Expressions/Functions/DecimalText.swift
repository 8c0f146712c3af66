import Bytes

/// Doubles with a fixed number of decimals, rounded as IEEE 754 says (the exact binary value, ties to even).
enum DecimalText {
    static func append(fixed number: Double, decimals: Int, to output: inout [UInt8]) {
        guard number.isFinite else { return Value.append(number, to: &output) }
        if number.sign == .minus { output.append(UInt8(ascii: "-")) }
        var digits = scaled(number.magnitude, decimals: decimals)
        while digits.count <= decimals { digits.insert(UInt8(ascii: "0"), at: 0) }
        output.append(contentsOf: digits.dropLast(decimals))
        guard decimals > 0 else { return }
        output.append(UInt8(ascii: "."))
        output.append(contentsOf: digits.suffix(decimals))
    }

    /// `1.052033e+03`. Rounds the shortest decimal that reads back as the number.
    static func append(scientific number: Double, decimals: Int, to output: inout [UInt8]) {
        guard number.isFinite else { return Value.append(number, to: &output) }
        if number.sign == .minus { output.append(UInt8(ascii: "-")) }
        var (digits, exponent) = significant(number.magnitude)
        if digits.count > decimals + 1 {
            let isUp = roundsUp(digits, at: decimals + 1)
            digits = Array(digits.prefix(decimals + 1))
            if isUp, increment(&digits) {
                digits.removeLast()
                exponent += 1
            }
        }
        while digits.count < decimals + 1 { digits.append(UInt8(ascii: "0")) }
        output.append(digits[0])
        if decimals > 0 {
            output.append(UInt8(ascii: "."))
            output.append(contentsOf: digits[1...])
        }
        output.append(contentsOf: exponent < 0 ? "e-".utf8 : "e+".utf8)
        Timestamp.append(abs(exponent), width: 2, to: &output)
    }

    private static func roundsUp(_ digits: [UInt8], at position: Int) -> Bool {
        let next = digits[position]
        if next != UInt8(ascii: "5") { return next > UInt8(ascii: "5") }
        return digits[(position + 1)...].contains { $0 != UInt8(ascii: "0") } || digits[position - 1] & 1 == 1
    }

    /// Adds one to the last digit; true when the number grew by a digit.
    private static func increment(_ digits: inout [UInt8]) -> Bool {
        for index in digits.indices.reversed() {
            if digits[index] < UInt8(ascii: "9") {
                digits[index] += 1
                return false
            }
            digits[index] = UInt8(ascii: "0")
        }
        digits.insert(UInt8(ascii: "1"), at: 0)
        return true
    }

    /// The digits of the shortest decimal and the power of ten of the first.
    static func significant(_ number: Double) -> (digits: [UInt8], exponent: Int) {
        if number == 0 { return ([UInt8(ascii: "0")], 0) }
        let parts = number.description.split(separator: "e")
        var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        var digits: [UInt8] = []
        var point: Int?
        for byte in parts[0].utf8 {
            if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
        }
        exponent += (point ?? digits.count) - 1
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(zeros)
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return (digits, exponent - zeros)
    }

    /// Decimal digits of `number * 10^decimals`, rounded: the significand is a whole number, multiplied by ten as
    /// often as told and shifted by the exponent, in words of 32 bits.
    private static func scaled(_ number: Double, decimals: Int) -> [UInt8] {
        var words = [
            UInt32(truncatingIfNeeded: number.significandBitPattern), UInt32(number.significandBitPattern >> 32),
        ]
        if number.isNormal { words[1] |= 1 << 20 }
        for _ in 0..<decimals { multiply(&words, by: 10) }
        let shift = (number.isNormal ? Int(number.exponentBitPattern) : 1) - 1075
        if shift >= 0 {
            for _ in 0..<shift { multiply(&words, by: 2) }
        } else {
            shiftRight(&words, by: -shift)
        }
        var digits: [UInt8] = []
        while words.contains(where: { $0 != 0 }) {
            var rest: UInt64 = 0
            for index in words.indices.reversed() {
                let part = rest << 32 | UInt64(words[index])
                words[index] = UInt32(part / 10)
                rest = part % 10
            }
            digits.append(UInt8(ascii: "0") + UInt8(rest))
        }
        return digits.isEmpty ? [UInt8(ascii: "0")] : digits.reversed()
    }

    private static func multiply(_ words: inout [UInt32], by factor: UInt64) {
        var carry: UInt64 = 0
        for index in words.indices {
            let product = UInt64(words[index]) * factor + carry
            words[index] = UInt32(truncatingIfNeeded: product)
            carry = product >> 32
        }
        if carry > 0 { words.append(UInt32(carry)) }
    }

    private static func shiftRight(_ words: inout [UInt32], by amount: Int) {
        func bit(_ index: Int) -> Bool {
            index >= 0 && index / 32 < words.count && words[index / 32] >> UInt32(index % 32) & 1 == 1
        }
        let half = bit(amount - 1)
        let rest = (0..<max(0, amount - 1)).contains { bit($0) }
        let isUp = half && (rest || bit(amount))
        let (whole, part) = (amount / 32, UInt32(amount % 32))
        var result: [UInt32] = []
        for index in whole..<max(whole, words.count) {
            let high = index + 1 < words.count ? words[index + 1] : 0
            result.append(part == 0 ? words[index] : words[index] >> part | high << (32 - part))
        }
        var index = 0
        var carries = isUp
        while carries {
            if index == result.count { result.append(0) }
            result[index] &+= 1
            carries = result[index] == 0
            index += 1
        }
        words = result
    }
}
