import Testing

@testable import Expressions

/// Ciphers, derived keys, keys from numbers, patterns and zones as an expression reaches them. The expected bytes come from
/// Python's cryptography and hashlib; the primitives have their vectors in the tests of Cryptography.
struct CryptographyFunctionTests {
    @Test(arguments: [
        "hex.encode(aes.encryptCbc('0123456789abcdef', '密码 pa55', 'fedcba9876543210')) == '57e4e72a9cac1260361d51a2c6afc41f'",
        "hex.encode(aes.encryptCbc('0123456789abcdef', '密码 pa55', 'fedcba9876543210', 'zero')) == 'eab459580b74d3a8ff55ba572a7bcb20'",
        "string(aes.decryptCbc('0123456789abcdef', hex.decode('eab459580b74d3a8ff55ba572a7bcb20'), 'fedcba9876543210', 'zero')) == '密码 pa55'",
        "hex.encode(aes.encryptEcb(hex.decode('30313233343536373839616263646566'), '密码 pa55')) == '6d57ee923de811fd7845ac169a075c52'",
        "size(aes.encryptEcb('0123456789abcdef', 'exactly 16 bytes', 'none')) == 16",
        "hex.encode(des.encryptEcb('8bytekey', '密码 pa55')) == '314a5445079d3273b26bd674609b05e0'",
        "hex.encode(sm4.encryptCbc('0123456789abcdef', '密码 pa55', 'fedcba9876543210')) == 'b9aa898470d09ee9976e543f3e52ecc3'",
        "hex.encode(aes.encryptGcm('0123456789abcdef', 'The quick brown fox jumps over the lazy dog', 'fedcba987654', 'aad')) == '1a7b87ed4fba616427b36d1680d0daf39dd30be3575398203cb66c229ab0c444fd1975c30497dd4671b25cb3b3940a97733c48b6a0ba80485cca2d'",
        "hex.encode(pbkdf2.sha256('password', 'salt', 1000, 32)) == '632c2812e46d4604102ba7618e9d6d7d2f8128f6266b4a03264d2a0460b7dcb3'",
        "hex.encode(hash.sm3('abc')) == '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0'",
        "hex.encode(hmac.sm3('key', 'The quick brown fox jumps over the lazy dog')) == 'bd4a34077888162b210645b8ebf74b9af357303789357a27c7fc457244ebd398'",
        "hex.encode(hmac.sha3_256('key', 'The quick brown fox jumps over the lazy dog')) == '8c6e0683409427f8931711b10ca92a506eb1fafa48fadd66d76126f47ac2c333'",
        "hex.encode(hmac.ripemd160('key', 'The quick brown fox jumps over the lazy dog')) == '50278a77d4d7670561ab72e867383aef6ce50b3e'",
        // The "16 characters" of MD5 that some vendors sign with.
        "hex.encode(hash.md5('admin')).substring(8, 24) == '7a57a5a743894a0e'",
        // The key and vector of OpenSSL's and CryptoJS's passphrase mode: MD5 over and over.
        "cel.bind(s, b'12345678', cel.bind(a, hash.md5(b'pw' + s), cel.bind(b, hash.md5(a + b'pw' + s), hex.encode(a + b)))) == 'b55a2901d68927617f9c2f962ad9302bd0dc8b99fc2c9678cb2af0c6246cbdb1'",
        "bytes.toInt(b'\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff') == -1 && bytes.ofInt(-1, 2) == b'\\xff\\xff'",
        "bytes.reverse(bytes.ofInt(1, 4)) == b'\\x01\\x00\\x00\\x00' && bytes.xor('', 'a') == b''",
        "bytes.toList('é') == [195, 169] && bytes.ofList([]) == b'' && bytes.ofList(bytes.toList('abc').map(b, b + 1)) == b'bcd'",
        "base32.decode(base32.encode(hash.sha256('a'))) == hash.sha256('a') && base32.encode('') == ''",
        "'中'.padStart(3, '零') == '零零中' && 'abc'.padEnd(2, 'x') == 'abc'",
        "sets.contains([], []) && sets.equivalent([], []) && !sets.intersects([], []) && sets.contains([{'a': 1}], [{'a': 1.0}])",
    ])
    func values(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "aes.encryptCbc('short', 'x', 'fedcba9876543210')", "aes.encryptCbc('0123456789abcdef', 'x', 'short')",
        "aes.encryptCbc('0123456789abcdef', 'x', 'fedcba9876543210', 'iso')",
        "aes.encryptGcm('0123456789abcdef', 'x', '')",
        "aes.decryptCbc('0123456789abcdef', b'123', 'fedcba9876543210')",
        "aes.decryptGcm('0123456789abcdef', b'0123456789abcdef0', 'fedcba987654')", "rc4.apply('', 'x')",
        "cmac.aes('k', 'x')", "pbkdf2.sha1('p', 's', 0, 20)", "pbkdf2.sha1('p', 's', 3000000000, 21)",
        "pbkdf2.sha1('p', 's', 1, 0)", "hkdf.sha256('k', '', '', -1)", "hkdf.sha256('k', '', '', 8161)",
        "scrypt('p', 's', 15, 8, 1, 32)", "scrypt('p', 's', 1048576, 8, 1, 32)",
        "scrypt('p', 's', 4, 9223372036854775807, 1, 32)",
        "bytes.toInt(b'')", "bytes.toInt(b'123456789')", "bytes.ofInt(1, 0)", "bytes.ofList([256])",
        "bytes.xor('a', '')",
        "base32.decode('1')", "'a'.padStart(5, '')", "'a'.padEnd(9223372036854775807, ' ')", "rsa.public('xyz', 65537)",
        "rsa.public('', 65537)", "rsa.public('c0ffee', -1)", "ec.private('P-256', '')", "ec.private('P-255', '01')",
        "ec.public('P-256', '04')", "sm2.sign(ec.private('P-256', '01'), 'x')",
        "rsa.encrypt(ec.private('P-256', '01'), 'x')",
        "jwt.verify('none', 'k', 'a.b.c')", "jwt.verify('HS256', '', jwt.sign('HS256', 'k', {}))",
    ])
    func errors(source: String) {
        let outcome = TestHost.outcome(source)
        #expect(
            outcome.hasPrefix("error: failed") || outcome.hasPrefix("error: bad argument")
                || outcome == "error: too large" || outcome.contains("can never work here"), "\(outcome)")
    }

    @Test(arguments: [
        "aes.encryptCbc('0123456789abcdef', 'x')", "aes.encryptEcb(1, 'x')", "pbkdf2.md5('p', 's', 1, 2)",
        "hash.crc32()",
        "regex.extract('a', '(')", "regex.replace('a', '[', 'b')", "sets.contains([1])", "hkdf.sha256('k', 's', 'i')",
    ])
    func foundAtLoad(source: String) { #expect(TestHost.outcome(source).hasPrefix("issue")) }

    @Test(arguments: [
        "sm2.verify(ec.public('SM2', '\(point)'), 'message digest', hex.decode('\(signature)'))",
        "!sm2.verify(ec.public('SM2', '04\(point)'), 'message digest', hex.decode('\(signature)'), 'ALICE123@YAHOO.COM')",
        "sm2.verify(ec.public('SM2', '\(point)'), 'x', sm2.sign(ec.private('SM2', '\(number)'), 'x', 'me'), 'me')",
        "sm2.verifyDer(ec.public('SM2', '\(point)'), 'x', sm2.signDer(ec.private('SM2', '\(number)'), 'x'))",
        "sm2.decrypt(ec.private('SM2', '\(number)'), sm2.encrypt(ec.public('SM2', '\(point)'), 'pa55')) == b'pa55'",
        "ecdsa.verifySha512(jwk.public(ec.private('P-521', '01')), 'x', ecdsa.sha512(ec.private('P-521', '01'), 'x'))",
        "jwt.verify('ES512', jwk.public(ec.private('P-521', '05')), jwt.sign('ES512', ec.private('P-521', '05'), {'a': 1}))",
        "jwt.verify('ES256K', jwk.public(ec.private('secp256k1', '05')), jwt.sign('ES256K', ec.private('secp256k1', '05'), {}))",
        "jwt.verify('ES384', jwk.public(ec.private('P-384', '05')), jwt.sign('ES384', ec.private('P-384', '05'), {}))",
        // A token that names another algorithm, one that was changed, and none.
        "!jwt.verify('HS384', 'k', jwt.sign('HS256', 'k', {}))",
        "!jwt.verify('HS256', 'k', jwt.sign('HS256', 'k', {}) + 'A')",
        "!jwt.verify('HS256', 'k', 'x') && !jwt.verify('HS256', 'other', jwt.sign('HS256', 'k', {}))",
        // 1 times the generator of P-256 (SEC 2 2.4.2).
        "json.decode(jwk.public(ec.private('P-256', '1'), {'kid': 'k1'})) == {'crv': 'P-256', 'kty': 'EC', 'x': base64url.encode(hex.decode('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296')), 'y': base64url.encode(hex.decode('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5')), 'kid': 'k1'}",
        "jwk.public(ec.private('P-256', '1'), {}) == jwk.public(ec.private('P-256', '1'))",
    ])
    func keys(source: String) { #expect(TestHost.outcome(source) == "true") }

    private static let number = "3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8"
    private static let point =
        "09F9DF311E5421A150DD7D161E4BC5C672179FAD1833FC076BB08FF356F35020CCEA490CE26775A52DC6EA718CC1AA600AED05FBF35E084A6632F6072DA9AD13"
    private static let signature =
        "F5A03B0648D2C4630EEAC513E1BB81A15944DA3827D5B74143AC7EACEEE720B3B1B6AA29DF212FD8763182BC0D421CA1BB9038FD1F7F42D4840B69C485BBC1AA"
}
