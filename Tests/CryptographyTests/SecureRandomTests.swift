import Testing

@testable import Cryptography

@Suite struct SecureRandomTests {
    @Test func counts() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(-1).isEmpty)
        #expect(SecureRandom.bytes(33).count == 33)
        #expect(SecureRandom.hex(8).count == 16)
    }

    @Test func differ() {
        #expect(Set((0..<1_000).map { _ in SecureRandom.uint64() }).count == 1_000)
        // All 64 bits move.
        let values = (0..<200).map { _ in SecureRandom.uint64() }
        #expect(values.reduce(0, |) == .max)
        #expect(values.reduce(.max, &) == 0)
    }

    @Test func uuid() {
        for _ in 0..<50 {
            let text = SecureRandom.uuid4()
            #expect(text.count == 36)
            #expect(text[14] == 0x34)
            #expect("89ab".utf8.contains(text[19]))
            for (index, byte) in text.enumerated() {
                let dash = [8, 13, 18, 23].contains(index)
                #expect(dash ? byte == 0x2D : "0123456789abcdef".utf8.contains(byte))
            }
        }
    }
}
