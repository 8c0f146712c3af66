import Bytes
import Testing

@testable import Cryptography

func hex(_ bytes: [UInt8]) -> String { String(decoding: Hex.encode(bytes.span), as: UTF8.self) }
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct DigestTests {
    /// RFC 1321 A.5 and the examples of FIPS 180-4 (one and two blocks).
    static let vectors: [(DigestAlgorithm, String, String)] = [
        (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.md5, "a", "0cc175b9c0f1b6a831c399e269772661"),
        (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (.md5, "abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            .md5, "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
        (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        // FIPS 202 examples, GB/T 32905 A.1, RFC 7693 A and B, and the page of RIPEMD's authors.
        (.sha3_224, "abc", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
        (.sha3_256, "abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        (
            .sha3_384, "abc",
            "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25"
        ),
        (
            .sha3_512, "abc",
            "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
                + "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"
        ),
        (.sm3, "abc", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
        (
            .blake2b, "abc",
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        ),
        (.blake2s, "abc", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
        (.ripemd160, "abc", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        (
            .sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (.sha224, "abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            .sha384, "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512, "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (.sha512_256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ]

    @Test(arguments: vectors)
    func known(algorithm: DigestAlgorithm, text: String, expected: String) {
        #expect(hex(Digest.hash(algorithm, bytes(text).span)) == expected)
        #expect(expected.count == algorithm.byteCount * 2)
    }

    @Test(arguments: DigestAlgorithm.allCases)
    func pieces(algorithm: DigestAlgorithm) {
        let whole = bytes("the quick brown fox jumps over the lazy dog")
        let digest = Digest.Incremental(algorithm)
        for cut in [0..<0, 0..<1, 1..<20, 20..<whole.count] { digest.update(whole.span.extracting(cut)) }
        #expect(digest.finish() == Digest.hash(algorithm, whole.span))
        // A finished digest starts anew, and two that are open at once do not disturb each other.
        let other = Digest.Incremental(algorithm)
        digest.update(whole.span)
        other.update([1, 2, 3].span)
        #expect(digest.finish() == Digest.hash(algorithm, whole.span))
        #expect(other.finish() == Digest.hash(algorithm, [1, 2, 3].span))
        #expect(digest.finish() == Digest.hash(algorithm, [UInt8]().span))
    }

    @Test func appends() {
        var output: [UInt8] = [7]
        Digest.hash(.md5, bytes("abc").span, into: &output)
        #expect(hex(output) == "07900150983cd24fb0d6963f7d28e17f72")
    }
}
