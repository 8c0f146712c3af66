/// Keys for tests, of no other use: a config whose secrets are no keys does not load where keys are needed.
enum SampleKeys {
    /// Base 64, and at the same time 32 bytes: a seed of Ed25519.
    static let seed = "abcdefghijklmnopqrstuvwxyz012345"
    /// RSA of 1024 bits, base 64 of PKCS #8.
    static let rsa = [
        "MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBALcXT/ME4OK7rpxMi9Ct29is6a+IvlYqAnlQ0D2yfOts76mR",
        "EsGk9EyjESe1+Ahia/E1vCJdhtetS9B2SfbJ4IdvGtv9Ty5AJv4lzxMv7Du76QtrUAfLUJg/v40wcwfHJVnB8tUT4442PPMX",
        "5IG9JP/EGYgJFth4MWiIklNakMmdAgMBAAECgYEAhuqZ0mVk5g8RI0HQwYxr9WWtqdjlEQ9R1V20pdIx9TXIATbTEHjiQNrk",
        "2FNiG6OTESLcqKIsrB+aP1n7NO0cEtGZ12k+Yxo/G9gRlNqXPcMYYTt99WqX/qEehDdg23XzBCNXEqbjLDUbE5YGraZtFquI",
        "Q8HBMfqed81hMnF52SECQQDe95uCazPyWLZ0YOERn+d3T2AOAaao57aMH3Ic9tBddIMpo6EweZFj5ESDeywgckBFah1GMLw5",
        "WDeD1FgXDc5JAkEA0jdWUy08QrcLnxpMMr+ynkVUQnCXqEXmOmQuiAARhx6H58fOIuZApsa0kGGeL+xxfja6a0IStGk7jsN8",
        "Hx5wtQJAKlcAq9JpqeKYux7OfodL8AcdqWs816QwsQkjpUZlKOoAIj8VU9wx9LMbI5CXP44SkFvnNTX5+DW9TQZct/wCKQJB",
        "AJkCOk00gcY1obne1FOkAIj/AYOSnHCY4CjkPpIzKo7lBBsK7dmtKqW5wDfPNeq/+SPbBfmIEEFMz1Lsqu2jpHkCQQCS4bdK",
        "0L+mlbwrrqvFJOcXcFbut4FA4Iqz1WY2XSbqSRIFsbT+g2mld6sq1zQw+zkz+W539D9j9Hm6AgC/a23Z",
    ].joined()
    /// Its public half, base 64 of SubjectPublicKeyInfo.
    static let rsaPublic = [
        "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC3F0/zBODiu66cTIvQrdvYrOmviL5WKgJ5UNA9snzrbO+pkRLBpPRMoxEn",
        "tfgIYmvxNbwiXYbXrUvQdkn2yeCHbxrb/U8uQCb+Jc8TL+w7u+kLa1AHy1CYP7+NMHMHxyVZwfLVE+OONjzzF+SBvST/xBmI",
        "CRbYeDFoiJJTWpDJnQIDAQAB",
    ].joined()
    /// P-256, base 64 of PKCS #8.
    static let p256 = [
        "MHcCAQEEIOgmKKyg5ecoz4xcYmBBaY72PdK24Oys7J7KFbnGB/HXoAoGCCqGSM49AwEHoUQDQgAENTUGF1eJpu17SsmTMwFC",
        "j3z8NNUdoEnGIKI5N7Nv0Vl8WnRW63cE8L42py8VAemPARQykNBvohMcYaygQI4GFQ==",
    ].joined()
}
