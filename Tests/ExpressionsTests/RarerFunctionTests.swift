import Testing

@testable import Expressions

/// Against the vectors of their standards.
struct RarerFunctionTests {
    @Test(arguments: [
        // RFC 7748 5.2 and 6.1.
        "hex.encode(x25519(hex.decode('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4'), hex.decode('e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c'))) == 'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552'",
        "hex.encode(x25519.public(hex.decode('77076d0a7318a57d3c16c17251b26645df4c6aaee9b8e0a0c6f0ef9bdd3e6ad2'))).size() == 64",
        // NIST CAVS 14.1, ECC CDH P-256, count 0.
        "hex.encode(ecdh(ec.private('P-256', '7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534'), ec.public('P-256', '700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac'))) == '46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b'",
        "hex.encode(hash.keccak256('')) == 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'",
        "hex.encode(hash.keccak256('abc')) == '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'",
        // The Base58 draft (draft-msporny-base58) and Bitcoin's own tests.
        "base58.encode('The quick brown fox jumps over the lazy dog.') == 'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z'",
        "base58.encode(hex.decode('0000287fb4cd')) == '11233QC4' && base58.decode('11233QC4') == hex.decode('0000287fb4cd')",
        "base58.encode('') == '' && base58.decode('') == b''",
        "hex.encode(hash.adler32('Wikipedia')) == '11e60398' && hex.encode(hash.adler32('')) == '00000001'",
        // Fermat, and a modulus that is even.
        "bigint.powmod(b'\\x03', b'\\x01\\x00', b'\\x01\\x01') == b'\\x00\\x01'",
        "bigint.powmod(b'\\x03', b'\\x05', b'\\x0a') == b'\\x03'",
        "bigint.submod(b'\\x01', b'\\x03', b'\\x00\\x07') == b'\\x00\\x05' && bigint.powmod(b'', b'', b'\\x07') == b'\\x01'",
        "hex.encode(gzip.encode('')).startsWith('1f8b0800000000000003')", "gzip.encode('a') == gzip.encode('a')",
        "zlib.decode(hex.decode('789cab564a54b232ac0500082a0209')) == b'{\"a\":1}'",
        "deflate.decode(hex.decode('ab564a54b232ac0500')) == b'{\"a\":1}'",
        "size(deflate.decode(deflate.encode('ab'.padEnd(60000, 'x')))) == 60000",
    ])
    func values(source: String) { #expect(TestHost.outcome(source) == "true") }

    /// RFC 5054 appendix B: SRP-6a with the 1024-bit group, computed as a client does it.
    @Test func srp() {
        let n =
            "eeaf0ab9adb38dd69c33f80afa8fc5e86072618775ff3c0b9ea2314c9c256576d674df7496ea81d3383b4813d692c6e0e0d5d8e250b98be48e495c1d6089dad15dc7d7b46154d6b6ce8ef4ad69b15d4982559b297bcf1885c529f566660e57ec68edbc3c05726cc02fd4cbf4976eaa9afd5138fe8376435b9fc61d2fc0eb06e3"
        let a = "60975527035cf2ad1989806f0407210bc81edc04e2762a56afd529ddda2d4393"
        let publicA =
            "61d5e490f6f1b79547b0704c436f523dd0e560f0c64115bb72557ec44352e8903211c04692272d8b2d1a5358a2cf1b6e0bfcf99f921530ec8e39356179eae45e42ba92aeaced825171e1e8b9af6d9c03e1327f44be087ef06530e69f66615261eef54073ca11cf5858f0edfdfe15efeab349ef5d76988a3672fac47b0769447b"
        let result = TestHost.outcome(
            "hex.encode(bigint.powmod(b'\\x02', hex.decode('\(a)'), hex.decode('\(n)'))) == '\(publicA)'")
        #expect(result == "true")
    }

    @Test(arguments: [
        "gzip.decode(b'abc')", "gzip.decode(gzip.encode('a').slice(0, 10))", "zlib.decode(zlib.encode('a') + b'x')",
        "deflate.decode(deflate.encode(bytes('a'.padEnd(1000000, 'a'))))", "x25519(b'short', b'short')",
        "x25519(hash.sha256('a'), hex.decode('00'.padEnd(64, '0')))", "x25519.public(b'')",
        "ecdh(ec.private('P-256', '01'), ec.private('P-384', '01'))", "base58.decode('0')",
        "base58.encode('a'.padEnd(513, 'a'))", "bigint.powmod(b'a', b'a', b'\\x00')", "bigint.powmod(b'a', b'a', b'')",
        "bigint.powmod(bytes('a'.padEnd(513, 'a')), b'a', b'a')",
    ])
    func errors(source: String) { #expect(TestHost.fails(source), "\(TestHost.outcome(source))") }
}
