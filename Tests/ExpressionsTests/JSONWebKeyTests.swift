import Bytes
import Cryptography
import JSONBytes
import Testing

@testable import Expressions

/// JSON Web Keys and proofs that others made.
struct JSONWebKeyTests {
    static let rsa = """
        {"kty": "RSA", "n": "0SdnypEk16uoY0S1KKvVh-9H2fx3O6gJEIIS5UMDT8L9A65GHKINdGIIrb3t9jAyELWSMWQYCjX\
        EhAU_8-8epujjcwBxpKyV5QoJ7Zv6QwOd6Kq4EnucTl4HKmLxj_UOuyX6LxZ4H1PiEQJlpNV3mUliSB70l0YJSQ0jkjXYAmk\
        ", "e": "AQAB", "d": "RGNjH6wn5NE_JP5RUfQlxOXrk45mmj4OgLRXY1lvGsSCIJL6X-BpD9YCSnUg-u-1XxtPqxC0f5\
        onIJfq2mMknQ1tec2jCp2dGFD73WSBFSUKRM_h7BUBmBiiSUiJ4Z7Geu54uyVuUIAmExunLNbDg7Rn2C6CGBSKJLokpTo7ct\
        E", "p": "8gnwTazc9-wfYg2jAxv2qA9m48AZ4h61R6sPfbDltpWFaTU1bBvHf9mTgj1oJ2GJndFp7PCdRSUHY5yhsnF9TQ\
        ", "q": "3TffY6lJ0YFbsMCE1_CXqpz50Cia_Pv9b0KyLNuGUDNmA3LTAUDnJ-0R8z7kvjvITZzUzR_piKLe2ZI5dap7jQ"\
        , "dp": "Y2irluuJshX76cTaD_vbOblhs-cBenrMT8w1R5VxM6WDrutYrrdWH--YAyT_czU_VV9eVx-YKH8F4ubBDs5H_Q"\
        , "dq": "mIAa7L5YWChACFI_ggmm1IQQpxJG_h3NMXUeFVRkfEdijQAMPDH86IZCuJhj4kyeIfr6rEnSmVIGJKDsIZScRQ"\
        , "qi": "kbCTtLqjgbR3pW392LOSrGenCG4uLurP4AyNqnEeAdHxZIG59rlBaHYPp-Vf_dDzR4TSXtUFl3AbinNvihwV7A"\
        }
        """
    static let p384 = """
        {"kty": "EC", "crv": "P-384", "x": "N4t3TVhqIYk_CzDU4i5ofh8NvHqbRNSiYkGWjtoRPl-3lBadHIRk97Zd4Rea\
        TrRq", "y": "5Mi1zMLbVPySa5EuEm30m7R0ozIdYPO4OXlF6ytYcZ-5SbEaMyEqCvAEOBuoy9KB", "d": "nSJ_G2nqGF\
        Q0JA9fb9ynwKIE66jjASVM1f-RenHJcDdkMZB9LGA1gtXr5J559BSl"}
        """

    @Test(arguments: [(rsa, "PS256"), (rsa, "RS256"), (p384, "ES384")])
    func whatAJWKSignsItsPublicHalfVerifies(_ key: String, _ name: String) throws {
        let algorithm = try #require(JOSE.Algorithm(rawValue: name))
        let text = Array(key.utf8)
        let token = try JOSE.compact(algorithm, key: text[...], header: Array("{}".utf8), payload: Array("p".utf8))
        let parts = token.split(separator: 0x2E)
        let signature = try decoded(parts[2])
        let message = Array(parts[0]) + [0x2E] + Array(parts[1])
        // Without `d` it is the public key.
        let root = try JSONDocument(parsing: text).root
        var writer = JSONWriter()
        writer.beginObject()
        for member in root.members {
            let name = member.key.text.map { Array($0) } ?? []
            guard ["kty", "crv", "n", "e", "x", "y"].contains(String(decoding: name, as: UTF8.self)) else { continue }
            writer.key(name.span)
            writer.raw(Array(member.value.raw))
        }
        writer.endObject()
        let publicKey = try JWK.publicKey(writer.bytes[...])
        let scheme: SignatureScheme =
            name == "PS256" ? .rsaPSS(.sha256) : name == "RS256" ? .rsaPKCS1(.sha256) : .ecdsa(.sha384, .raw)
        let isRight = try publicKey.verify(signature.span, over: message.span, scheme)
        #expect(isRight)
        let canonical = try JWK.canonical(publicKey)
        #expect(try JWK.publicKey(canonical[...]).subjectPublicKeyInfo == publicKey.subjectPublicKeyInfo)
    }

    private func decoded(_ part: ArraySlice<UInt8>) throws -> [UInt8] {
        let bytes = Base64.decode(part.span, alphabet: .url, padding: .none)
        return try #require(bytes)
    }

    /// The proof of RFC 9449 4.1, and its key's thumbprint (6.1).
    @Test func theProofOfTheStandardVerifies() throws {
        let proof =
            "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs"
            + "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2"
            + "In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2Vu"
            + "IiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3"
            + "Lg"
        let parts = Array(proof.utf8).split(separator: 0x2E)
        let header = try decoded(parts[0])
        let jwk = try #require(try JSONDocument(parsing: header).root.member("jwk"))
        let key = try JWK.publicKey(jwk.raw)
        let signature = try decoded(parts[2])
        let message = Array(parts[0]) + [0x2E] + Array(parts[1])
        let isRight = try key.verify(signature.span, over: message.span, .ecdsa(.sha256, .raw))
        #expect(isRight)
        #expect(
            String(decoding: try JWK.thumbprint(key), as: UTF8.self) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test(arguments: [
        "{}", "{", "{\"kty\":\"RSA\"}", "{\"kty\":\"EC\",\"crv\":\"P-521\",\"x\":\"AA\",\"y\":\"AA\",\"d\":\"AA\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\",\"d\":\"AA\"}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"d\":\"!\"}",
        "{\"kty\":\"oct\",\"k\":\"AA\"}", p384.replacing("\"x\": \"", with: "\"x\": \"A"),
    ])
    func noKey(_ text: String) {
        #expect(throws: EvaluationError.self) { try KeyCache.shared.privateKey(ArraySlice(text.utf8)) }
    }

    /// A key whose point belongs to another number would sign for nobody.
    @Test func aPointOfAnotherKeyIsRefused() throws {
        let other = """
            {"kty":"EC","crv":"P-256","x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs","y":"9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA","d":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}
            """
        #expect(throws: EvaluationError.self) { try JWK.privateKey(ArraySlice(other.utf8)) }
    }

    @Test(arguments: ["", "{\"kty\":\"oct\",\"k\":\"\"}"]) func anEmptySecretSignsNothing(_ key: String) {
        #expect(throws: EvaluationError.self) {
            try JOSE.compact(.HS256, key: ArraySlice(key.utf8), header: [], payload: [])
        }
    }
}
