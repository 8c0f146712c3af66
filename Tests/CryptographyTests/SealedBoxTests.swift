import Bytes
import Testing

@testable import Cryptography

/// Boxes open for their key and their context, unchanged, and say why they do not.
@Suite struct SealedBoxTests {
    private let key = Secret(copying: Array("0123456789abcdef0123456789abcdef".utf8).span)
    private let context = Array("session shop".utf8)
    private let plain = Array("a refresh token".utf8)

    private func bytes(_ text: String) throws -> [UInt8] {
        let bytes = Hex.decode(Array(text.utf8).span)
        return try #require(bytes)
    }

    private func fault(_ box: [UInt8], key: Secret? = nil, context: [UInt8]? = nil) -> SealedBox.Fault? {
        do throws(SealedBox.Fault) {
            _ = try SealedBox.open(box, key: key ?? self.key, context: context ?? self.context)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4096, 100_000]) func aBoxGivesBackWhatWasPutIn(_ count: Int) throws {
        let plain = SecureRandom.bytes(count)
        let box = try SealedBox.seal(plain, key: key, context: context)
        #expect(try SealedBox.open(box, key: key, context: context) == plain)
        #expect(box.count == plain.count + 72)
    }

    @Test func noTwoBoxesAreAlikeAndNoneShowsItsContent() throws {
        let boxes = try (0..<50).map { _ in try SealedBox.seal(plain, key: key, context: context) }
        #expect(Set(boxes).count == 50)
        #expect(Set(boxes.map { Array($0[40...]) }).count == 50)
        for box in boxes { #expect(!String(decoding: box, as: UTF8.self).contains("refresh")) }
    }

    @Test func anotherKeyAndAnotherContextAreToldApart() throws {
        let box = try SealedBox.seal(plain, key: key, context: context)
        #expect(fault(box, key: Secret(copying: Array("0123456789abcdef0123456789abcdeg".utf8).span)) == .wrongKey)
        #expect(fault(box, context: Array("session ship".utf8)) == .otherContext)
        #expect(fault(box, context: []) == .otherContext)
        #expect(fault(box) == nil)
    }

    @Test func everyByteIsGuarded() throws {
        let box = try SealedBox.seal(plain, key: key, context: context)
        for index in box.indices {
            for bit in [UInt8(1), 0x80] {
                var changed = box
                changed[index] ^= bit
                let expected: SealedBox.Fault =
                    switch index {
                    case ..<8: .notABox
                    case ..<48: .wrongKey
                    case ..<56: .otherContext
                    default: .changed
                    }
                #expect(fault(changed) == expected, "byte \(index)")
            }
        }
    }

    @Test func aShortenedBoxIsNoneOrChanged() throws {
        let box = try SealedBox.seal(plain, key: key, context: context)
        for count in 0..<box.count {
            #expect(fault(Array(box.prefix(count))) == (count < 72 ? .notABox : .changed))
        }
        #expect(fault(box + [0]) == .changed)
    }

    /// RFC 5869, appendix A: test cases 1 to 3.
    @Test(arguments: [
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "", "",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ])
    func keysAreDerivedAsTheRFCTells(_ key: String, _ salt: String, _ info: String, _ output: String) throws {
        let key = try bytes(key)
        let derived = SealedBox.derive(from: key.span, salt: try bytes(salt), info: try bytes(info), count: 42)
        #expect(String(decoding: Hex.encode(derived.span), as: UTF8.self) == output)
    }

    /// GCM specification (McGrew and Viega), test cases 13, 14 and 16: AES-256.
    @Test(arguments: [
        (
            String(repeating: "0", count: 64), String(repeating: "0", count: 24), "", "",
            "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        (
            String(repeating: "0", count: 64), String(repeating: "0", count: 24), String(repeating: "0", count: 32),
            "", "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
                + "b16aedf5aa0de657ba637b39",
            "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
                + "c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ])
    func theCipherIsAES256GCM(
        _ key: String, _ nonce: String, _ plain: String, _ bound: String, _ sealed: String
    ) throws {
        let made = try GCM.seal(try bytes(plain), key: try bytes(key), nonce: try bytes(nonce), bound: try bytes(bound))
        #expect(String(decoding: Hex.encode(made.span), as: UTF8.self) == sealed)
        #expect(
            GCM.open(made, key: try bytes(key), nonce: try bytes(nonce), bound: try bytes(bound)) == (try bytes(plain)))
    }
}
