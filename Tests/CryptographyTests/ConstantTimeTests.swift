import Testing

@testable import Cryptography

@Suite struct ConstantTimeTests {
    @Test func comparesEveryPosition() {
        let original = (0..<64).map { UInt8($0) }
        #expect(ConstantTime.equal(original.span, Array(original).span) == true)
        for position in original.indices {
            for bit in 0..<8 {
                var changed = original
                changed[position] ^= 1 << bit
                #expect(ConstantTime.equal(original.span, changed.span) == false)
            }
        }
    }

    @Test func countsDiffer() {
        let empty: [UInt8] = []
        #expect(ConstantTime.equal(empty.span, [UInt8]().span) == true)
        #expect(ConstantTime.equal(empty.span, [0].span) == false)
        #expect(ConstantTime.equal([1, 2].span, [1].span) == false)
    }
}
