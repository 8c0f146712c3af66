import Bytes
import Testing

@testable import Cryptography

@Suite struct HMACTests {
    struct Vector: Sendable {
        var key: [UInt8]
        var message: [UInt8]
        var expected: [DigestAlgorithm: String]
    }

    /// RFC 4231 4.2, 4.3, 4.4, 4.7 (key longer than a block) and RFC 2202 (MD5, SHA-1) for the same inputs.
    static let vectors: [Vector] = [
        Vector(
            key: [UInt8](repeating: 0x0B, count: 20), message: bytes("Hi There"),
            expected: [
                .sha1: "b617318655057264e28bc0b6fb378c8ef146be00",
                .sha224: "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
                .sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                .sha384:
                    "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
                .sha512:
                    "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                    + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
            ]),
        Vector(
            key: [UInt8](repeating: 0x0B, count: 16), message: bytes("Hi There"),
            expected: [.md5: "9294727a3638bb1c13f48ef8158bfc9d"]),
        Vector(
            key: bytes("Jefe"), message: bytes("what do ya want for nothing?"),
            expected: [
                .md5: "750c783e6ab0b503eaa86e310a5db738",
                .sha1: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
                .sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ]),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 20), message: [UInt8](repeating: 0xDD, count: 50),
            expected: [.sha256: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"]),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: bytes("Test Using Larger Than Block-Size Key - Hash Key First"),
            expected: [
                .sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
                .sha224: "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e",
            ]),
        Vector(
            key: [], message: [],
            expected: [
                .md5: "74e6f7298a9c2d168935f58c001bad88",
                .sha256: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad",
            ]),
    ]

    @Test(arguments: vectors)
    func known(vector: Vector) {
        for (algorithm, expected) in vector.expected {
            // The later calls work on a reused context.
            for _ in 0..<3 {
                #expect(
                    hex(HMAC.authenticate(algorithm, key: vector.key.span, message: vector.message.span)) == expected)
            }
        }
    }

    /// The idle context belongs to one user at a time: threads must not mix their messages.
    @Test func threads() async {
        let expected = (0..<64).map { HMAC.authenticate(.sha256, key: bytes("Jefe").span, message: [UInt8($0)].span) }
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<2_000 {
                        let message = [UInt8(round % 64)]
                        let direct = HMAC.authenticate(.sha256, key: bytes("Jefe").span, message: message.span)
                        if direct != expected[round % 64] { wrong += 1 }
                    }
                    return wrong
                }
            }
            for await wrong in group { #expect(wrong == 0) }
        }
    }
}
