/// Keys and signatures that the OpenSSL command line made.
enum MoreKeyVectors {
    static let rsa = """
        -----BEGIN RSA PRIVATE KEY-----
        MIICXQIBAAKBgQC0NbvwNO0OGtXNWoHQ4ssUexQJZJs5uGDZfI6F3s+XaZgakEw+
        qtyrtYkDEWz/+3E04M7l0QCuGq7uuHnVCIiHG+4ct/B1nskfWEC9qj6tbrZx/hxG
        oq2bJ6bPce69adV78Tomwxb3R7ZJzscA1hEZGVFdt1fXCZLhiSedXz2RLQIDAQAB
        AoGAUIEUtSkfoUZxrqw5A/Tc3ghhmhScl3t7oIzZKoqv2Ccu8Ob3eKNhsz+Etp8p
        P223U/T92IK2uBBph3FX08hdHKXhx056+5pdHFCekmEj9ene1/49uL6B/UQJ3Nzc
        ga8/V0TOKQg5fc8ekOKcvOI5o0u773jh4Zg9HZ2fkTGskKECQQDoyLuHF54jEYA+
        RgnufVzhjRyQLfCmOFlP46FChQlsoLVjG0djU7IHZRZjUYrsyIljfivlnnKO++fC
        qmWwIknJAkEAxi63d1tNbc7W/LbCvaHTqVHI8k9VfFnfbZl/kZIPmBSwafXLWwTX
        iviCf+EoKwjE08M8IU0Drlbz8gG6B5k+RQJAAxf/3gjDUkX+RVWa9i92V40Pjx79
        Lsha74Pf9clc2bO9FWccaMaI/C4swP8pcIItyUO5A6E6dooEh4LKPTAHeQJBALmR
        Ar8i4bRhCZLluiEABwWzC7o/qKbgLEIeiYGPx0Q6kxkUSo52UTDSEreU5xysgEhc
        tc/kof67cn33Oe5lghUCQQDXuZWkhRykgZ7be/GijCUFtuyM3X3vG8fRyKi44slP
        eyTVD2GPuAPPBH2OxLJqgJtzMVmMY5a0pbxSl4svODyg
        -----END RSA PRIVATE KEY-----
        """
    static let rsaModulus =
        "B435BBF034ED0E1AD5CD5A81D0E2CB147B1409649B39B860D97C8E85DECF9769981A904C3EAADCABB58903116CFFFB71"
        + "34E0CEE5D100AE1AAEEEB879D50888871BEE1CB7F0759EC91F5840BDAA3EAD6EB671FE1C46A2AD9B27A6CF71EEBD69D5"
        + "7BF13A26C316F747B649CEC700D6111919515DB757D70992E189279D5F3D912D"
    /// Of "message digest", padded and not digested.
    static let rsaRawSignature =
        "a31fa767bef65ff0e605e39524df7b6683893ce95e6b423246ae4bba57c56949714f120f99918e1851bb7590f4ca8b10"
        + "1ca8178de8c22ecf4691f0e177e2d3e6e4ad94fca33d4908c25e5c07fba9df388a875a58c20e7fb49819f302ad31bbe1"
        + "76b9f5c19fd1de0cd7083228b41db4c4fd2edc3ec492768599faeb8bfdadddaa"
    /// "pa55" with OAEP, SHA-256 for the label and SHA-1 for the mask.
    static let rsaOAEP =
        "RgzCxyTiXN5pCLH1zUMLQkkFafp7mWiMlH/z6WzMvJGHTWfcj4SwF3Q5qqItidtKPRSWjdR85OdLeXqGJO45Y2/j5iGi5ihK"
        + "J0A0q+H7Joo/6VS7gl8PnbjRfDX6uZ+UbIqIr86hsmmGKq3VzNHwVDT0iwtZkM5rD+8ejgGhorY="
    /// "pa55" to the power of the exponent.
    static let rsaPower =
        "73811f0f2eca7acfb55802b1006279ed81fd31416abffe9f46522bec06d0474ceba16d3dddf5f4ecd88cff5ab2aa8b99"
        + "2d347b9b14ab961684bb3e726ae67742c37e3042abeb1e1a6839d0da3626ffe441822af3866d6b0c8b22ab7c933c91b1"
        + "84cd8352580ed19231968c93689a70160ae0aef22acec1c0184939bba51ac0fe"

    static let sm2Private = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqBHM9VAYItBG0wawIBAQQg222cvx//TaY6vA46
        bAticYuvpxCSlgSu9UhBZG39ecahRANCAAQI+jkpogO65wxCa3Cuu06Q7bSaJGNs
        K1tjAvd3FhIsFDnwGvv1Gvr32edpqyH5ivqiy8dtEebZQfRb/lyk4T3s
        -----END PRIVATE KEY-----
        """
    static let sm2Public = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoEcz1UBgi0DQgAECPo5KaIDuucMQmtwrrtOkO20miRj
        bCtbYwL3dxYSLBQ58Br79Rr699nnaash+Yr6osvHbRHm2UH0W/5cpOE97A==
        -----END PUBLIC KEY-----
        """
    /// Of "message digest", DER.
    static let sm2Signature =
        "3046022100be4e20c779bb35aebec1ffa77f5a8297b12a3ebe4de42ae2dc765e0c7909ffc9022100e4924216028defdd"
        + "7c2d76800d59fc2586897a1c0577fb0952333ba95c02db81"

    static let p521Private = """
        -----BEGIN PRIVATE KEY-----
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIBDV4EtzY2VAmlDIrL
        UAP5KR9cv3UrN8Qcm39Vs/+WNroTmIog5JJ0ZtLq44eZnRjY9viIjdPwEGD7jE9p
        UqAt5VyhgYkDgYYABAHcpzkguf6tPnGaNJBrdNSjNwCZfUe51Nvj9Xp4xabOq9Wy
        gR7Rq+1+c1VzMbrV8vADOeu6XOXM/omXwIV7WWeKDABYRI4jbSNb9cXCNJ5eDCKF
        3iY+bXBb34DzK7vER19a4i4MdZ1JKveB/R4uCJzr4jsZm20elwQtIACk2sWzaP9O
        LQ==
        -----END PRIVATE KEY-----
        """
    /// Of "message digest", DER, SHA-512.
    static let p521Signature =
        "30818802420113d3bb791bb33928f8811e6fce8b3862092e182c46f39c13a58f56d39f01623f274c59d2ae644cc18a15"
        + "c86cba6bba07fbd2eea7f9cb1bbf2203812fbe154feb23024201c820ae2f4a94f09fbdd46505691a3405d604ddbc1efc"
        + "fe318f0014682698ba1c0ac5ce30b12d6439ceb67186ed5ced488fc6ecd1ccb904e47ff1793bdc1d1c9029"

    static let k1Private = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgvNgOmOXBwJpJi5w0rnjc
        qedjYBnXF5WTCXYGBGPSllmhRANCAASfTuCnFNOe3K2jYxXrF91OVKu/Rr626pov
        /0oGo0AwVfnPwnPqBkCeYnK5eRgI8Q1QQtZToYEx0Na2LkI+PiKG
        -----END PRIVATE KEY-----
        """
    /// Of "message digest", DER, SHA-256.
    static let k1Signature =
        "3045022023f815820a89f4be2dc2dd4f26c7d0e25314a08b0a4fb800bf5ceaa0eed2751d02210089b453ee0b6a77c842"
        + "f0e75f92de4119a686504370de7feb205bc02af49add9f"

    /// GB/T 32918.5: the private number, the public point, r and s of "message digest", and a ciphertext of
    /// "encryption standard".
    static let standardNumber = "3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8"
    static let standardPoint =
        "09F9DF311E5421A150DD7D161E4BC5C672179FAD1833FC076BB08FF356F35020"
        + "CCEA490CE26775A52DC6EA718CC1AA600AED05FBF35E084A6632F6072DA9AD13"
    static let standardSignature =
        "F5A03B0648D2C4630EEAC513E1BB81A15944DA3827D5B74143AC7EACEEE720B3"
        + "B1B6AA29DF212FD8763182BC0D421CA1BB9038FD1F7F42D4840B69C485BBC1AA"
    static let standardCiphertext =
        "0404EBFC718E8D1798620432268E77FEB6415E2EDE0E073C0F4F640ECD2E149A73E858F9D81E5430A57B36DAAB8F950A3C"
        + "64E6EE6A63094D99283AFF767E124DF059983C18F809E262923C53AEC295D30383B54E39D609D160AFCB1908D0BD8766"
        + "21886CA989CA9C7D58087307CA93092D651EFA"
}
