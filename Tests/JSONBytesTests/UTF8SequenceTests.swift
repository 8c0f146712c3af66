import Bytes
import Testing

@Suite struct UTF8SequenceTests {
    @Test func everyScalarGoesThereAndBack() {
        for code in UInt32(0)...0x110000 {
            var output: [UInt8] = []
            UTF8Sequence.append(code, to: &output)
            let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
            let isSame = output.elementsEqual(String(scalar).utf8)
            let length = UTF8Sequence.length(output.span, at: 0)
            if !isSame || length != output.count
                || UTF8Sequence.scalar(output.span, at: 0, length: length) != scalar.value
            {
                Issue.record("U+\(String(code, radix: 16)) \(output)")
            }
        }
    }

    /// Against the standard library: all pairs of bytes behind each lead byte that has rules of its own.
    @Test(arguments: [0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0x80, 0xFF] as [UInt8])
    func agreesWithTheStandardLibrary(_ lead: UInt8) {
        for second in UInt8.min...UInt8.max {
            for third in [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF] as [UInt8] {
                for text in [
                    [lead, second], [lead, second, third], [lead, second, third, 0x80],
                    [0x41, lead, second, third, 0xC0],
                ] {
                    let expected = String(validating: text, as: UTF8.self) != nil
                    if UTF8Sequence.isValid(text.span) != expected { Issue.record("\(text)") }
                }
            }
        }
    }

    @Test func nothingBeginsOutside() {
        let text: [UInt8] = [0x41]
        for index in [-1, 1, 2, Int.max, Int.min] {
            let length = UTF8Sequence.length(text.span, at: index)
            #expect(length == 0)
        }
    }

    @Test func decimalDigits() {
        var numbers: [UInt64] = [0, .max, .max - 1, UInt64(Int64.max)]
        var power: UInt64 = 1
        for _ in 0..<20 {
            numbers += [power - 1, power, power &+ 1]
            power = power &* 10
        }
        for number in numbers {
            var output: [UInt8] = [0x23]
            output.append(decimal: number)
            #expect(String(decoding: output, as: UTF8.self) == "#\(number)")
            output = []
            output.append(decimal: Int64(bitPattern: number))
            #expect(String(decoding: output, as: UTF8.self) == "\(Int64(bitPattern: number))")
        }
    }
}
