/// Keys and signatures printed in public documents.
enum KeyVectors {
    /// RFC 9421 B.1.2, test-key-rsa-pss.
    static let pssPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADALBgkqhkiG9w0BAQoEggSqMIIEpgIBAAKCAQEAr4tmm3r20Wd/Pbqv
        P1s2+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry5
        3mm+oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7Oyr
        FAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUA
        AN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw
        9lq4aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oy
        c6XI2wIDAQABAoIBAQCUB8ip+kJiiZVKF8AqfB/aUP0jTAqOQewK1kKJ/iQCXBCq
        pbo360gvdt05H5VZ/RDVkEgO2k73VSsbulqezKs8RFs2tEmU+JgTI9MeQJPWcP6X
        aKy6LIYs0E2cWgp8GADgoBs8llBq0UhX0KffglIeek3n7Z6Gt4YFge2TAcW2WbN4
        XfK7lupFyo6HHyWRiYHMMARQXLJeOSdTn5aMBP0PO4bQyk5ORxTUSeOciPJUFktQ
        HkvGbym7KryEfwH8Tks0L7WhzyP60PL3xS9FNOJi9m+zztwYIXGDQuKM2GDsITeD
        2mI2oHoPMyAD0wdI7BwSVW18p1h+jgfc4dlexKYRAoGBAOVfuiEiOchGghV5vn5N
        RDNscAFnpHj1QgMr6/UG05RTgmcLfVsI1I4bSkbrIuVKviGGf7atlkROALOG/xRx
        DLadgBEeNyHL5lz6ihQaFJLVQ0u3U4SB67J0YtVO3R6lXcIjBDHuY8SjYJ7Ci6Z6
        vuDcoaEujnlrtUhaMxvSfcUJAoGBAMPsCHXte1uWNAqYad2WdLjPDlKtQJK1diCm
        rqmB2g8QE99hDOHItjDBEdpyFBKOIP+NpVtM2KLhRajjcL9Ph8jrID6XUqikQuVi
        4J9FV2m42jXMuioTT13idAILanYg8D3idvy/3isDVkON0X3UAVKrgMEne0hJpkPL
        FYqgetvDAoGBAKLQ6JZMbSe0pPIJkSamQhsehgL5Rs51iX4m1z7+sYFAJfhvN3Q/
        OGIHDRp6HjMUcxHpHw7U+S1TETxePwKLnLKj6hw8jnX2/nZRgWHzgVcY+sPsReRx
        NJVf+Cfh6yOtznfX00p+JWOXdSY8glSSHJwRAMog+hFGW1AYdt7w80XBAoGBAImR
        NUugqapgaEA8TrFxkJmngXYaAqpA0iYRA7kv3S4QavPBUGtFJHBNULzitydkNtVZ
        3w6hgce0h9YThTo/nKc+OZDZbgfN9s7cQ75x0PQCAO4fx2P91Q+mDzDUVTeG30mE
        t2m3S0dGe47JiJxifV9P3wNBNrZGSIF3mrORBVNDAoGBAI0QKn2Iv7Sgo4T/XjND
        dl2kZTXqGAk8dOhpUiw/HdM3OGWbhHj2NdCzBliOmPyQtAr770GITWvbAI+IRYyF
        S7Fnk6ZVVVHsxjtaHy1uJGFlaZzKR4AGNaUTOJMs6NadzCmGPAxNQQOCqoUjn4XR
        rOjr9w349JooGXhOxbu8nOxX
        -----END PRIVATE KEY-----
        """
    /// Its public half.
    static let pssPublic = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
        +QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
        oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
        gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
        Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
        aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
        2wIDAQAB
        -----END PUBLIC KEY-----
        """
    /// RFC 9421 B.2.1.
    static let pssBase = """
        "@signature-params": ();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"
        """
    /// RFC 9421 B.2.1.
    static let pssSignature = """
        d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsc\
        kzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXe\
        hhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9\
        mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==
        """
    /// RFC 9421 B.1.3, test-key-ecc-p256.
    static let p256Public = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf
        w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
        -----END PUBLIC KEY-----
        """
    /// RFC 9421 B.3.
    static let p256Base = """
        "@path": /foo
        "@query": ?param=Value&Pet=dog
        "@method": POST
        "@authority": service.internal.example
        "client-cert": :MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZ\
        BgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkw\
        EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcG\
        zkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMC\
        BsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHd\
        a/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=:
        "@signature-params": ("@path" "@query" "@method" "@authority" "client-cert");created=1618884473;keyi\
        d="test-key-ecc-p256"
        """
    /// RFC 9421 B.3, r and s.
    static let p256Signature = """
        xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw==
        """
    /// RFC 9421 B.1.4, test-key-ed25519.
    static let edPrivate = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
        -----END PRIVATE KEY-----
        """
    /// RFC 9421 B.2.6.
    static let edBase = """
        "date": Tue, 20 Apr 2021 02:07:55 GMT
        "@method": POST
        "@path": /foo
        "@authority": example.com
        "content-type": application/json
        "content-length": 18
        "@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created\
        =1618884473;keyid="test-key-ed25519"
        """
    /// RFC 9421 B.2.6.
    static let edSignature = """
        wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==
        """
    /// draft-cavage-http-signatures-12 C (1024 bits, PKCS#1).
    static let rsaPrivate = """
        -----BEGIN RSA PRIVATE KEY-----
        MIICXgIBAAKBgQDCFENGw33yGihy92pDjZQhl0C36rPJj+CvfSC8+q28hxA161QF
        NUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6Z4UMR7EOcpfdUE9Hf3m/hs+F
        UR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJwoYi+1hqp1fIekaxsyQIDAQAB
        AoGBAJR8ZkCUvx5kzv+utdl7T5MnordT1TvoXXJGXK7ZZ+UuvMNUCdN2QPc4sBiA
        QWvLw1cSKt5DsKZ8UETpYPy8pPYnnDEz2dDYiaew9+xEpubyeW2oH4Zx71wqBtOK
        kqwrXa/pzdpiucRRjk6vE6YY7EBBs/g7uanVpGibOVAEsqH1AkEA7DkjVH28WDUg
        f1nqvfn2Kj6CT7nIcE3jGJsZZ7zlZmBmHFDONMLUrXR/Zm3pR5m0tCmBqa5RK95u
        412jt1dPIwJBANJT3v8pnkth48bQo/fKel6uEYyboRtA5/uHuHkZ6FQF7OUkGogc
        mSJluOdc5t6hI1VsLn0QZEjQZMEOWr+wKSMCQQCC4kXJEsHAve77oP6HtG/IiEn7
        kpyUXRNvFsDE0czpJJBvL/aRFUJxuRK91jhjC68sA7NsKMGg5OXb5I5Jj36xAkEA
        gIT7aFOYBFwGgQAQkWNKLvySgKbAZRTeLBacpHMuQdl1DfdntvAyqpAZ0lY0RKmW
        G6aFKaqQfOXKCyWoUiVknQJAXrlgySFci/2ueKlIE1QqIiLSZ8V8OlpFLRnb1pzI
        7U1yQXnTAEFYM560yJlzUpOb1V4cScGd365tiSMvxLOvTA==
        -----END RSA PRIVATE KEY-----
        """
    /// draft-cavage C.1.
    static let rsaMessage = """
        date: Sun, 05 Jan 2014 21:31:40 GMT
        """
    /// draft-cavage C.1, RSA-SHA256.
    static let rsaSignature = """
        SjWJWbWN7i0wzBvtPl8rbASWz5xQW6mcJmn+ibttBqtifLN7Sazz6m79cNfwwb8DMJ5cou1s7uEGKKCs+FLEEaDV5lp7q25WqS+l\
        avg7T8hc0GppauB6hbgEKTwblDHYGEtbGmtdHgVCk9SuS13F0hZ8FD0k/5OxEPXe5WozsbM=
        """
    /// An EC key in the old form (SEC 1), made for these tests like all that follow.
    static let sec1Private = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFMyFiyCtC8Sn1ZqtdE65/mRA44Wtamj2JdVjA82NmtOoAoGCCqGSM49
        AwEHoUQDQgAELSo8W+DAWhZNu0waDjHUjkWPuiTWzCmUDRywramMElHXdg4hlaAy
        LptVoKVK5fyaigJRtAcA7FDWv8Lkub8QfQ==
        -----END EC PRIVATE KEY-----
        """
    /// The same key as PKCS#8.
    static let p256Private = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUzIWLIK0LxKfVmq1
        0Trn+ZEDjha1qaPYl1WMDzY2a06hRANCAAQtKjxb4MBaFk27TBoOMdSORY+6JNbM
        KZQNHLCtqYwSUdd2DiGVoDIum1WgpUrl/JqKAlG0BwDsUNa/wuS5vxB9
        -----END PRIVATE KEY-----
        """
    /// The same key, passphrase "open-sesame".
    static let encryptedPrivate = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiGeEf7GcOx9AICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEPlmCkR3RY2X8jI8PAYjTW0EgZCO
        xytmi1R2qp64EIvy2Sn2L1sLRoXLlXWL63bMLDoywxPCBhVaIxTzlCshaHnDJIeQ
        T3i8xM7yG9mDNC5JFGorzwTqssFjLGTOyMJk9f7fJgDsNixctOX8j8YgNkXfKCV2
        6tJ9tnVO/D6+/BEXhfjFwoWFL51s4rmnYmBtkEQNeRbkPpihnj8Fo2ZL77pxOcE=
        -----END ENCRYPTED PRIVATE KEY-----
        """
    /// A certificate for the same key.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBdTCCARugAwIBAgIUMsYz9kZdysgiyFvGrJKS7zsu5LwwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMzAwNTE5MjlaGA8yMTI2MTEwNjA1MTky
        OVowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABC0q
        PFvgwFoWTbtMGg4x1I5Fj7ok1swplA0csK2pjBJR13YOIZWgMi6bVaClSuX8mooC
        UbQHAOxQ1r/C5Lm/EH2jUzBRMB0GA1UdDgQWBBRb8J3h7fN9Yo4F63rBIwxodmkU
        wzAfBgNVHSMEGDAWgBRb8J3h7fN9Yo4F63rBIwxodmkUwzAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0gAMEUCIDPwiCsLug790fIPOqrOue+AQs4sKg9hLYPQ
        IfQrbjR6AiEA85P+PzPt76EbRN0ueWrrUM32JHXIQRFQqjFRPUO5OCY=
        -----END CERTIFICATE-----
        """
    /// EC P-384.
    static let p384Private = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAQ8YSqvpEmGLQSj1uv
        Wz6QEmfPE6tK98+V3ev67QOjszbdIwZb1OY8DBxlnguUK3ahZANiAASJSIiobxn2
        DNgOjjxkY9wHzbdq1idwCYAEhR/j06cmRtz4r8R+hqsC1VW134Q9kEeVt3BsIcFk
        /zhPyj41cEvw633YRaThWKxzUQcaYQyW0xxF/F6TAKaZOo/TqLEAoi0=
        -----END PRIVATE KEY-----
        """
    /// A curve that is not supported.
    static let p192Private = """
        -----BEGIN PRIVATE KEY-----
        MG8CAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQEEVTBTAgEBBBgbGtgasTn6rbZbj/pl
        S2GYlo7uuuXauGShNAMyAASke7Wsy/ktPEy1g4OTYwtmW9P2vwcACsZ06JgFzlW7
        /dWkJd4cxA7hTKuROy7kr20=
        -----END PRIVATE KEY-----
        """
}
