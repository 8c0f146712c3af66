import Bytes
import Cryptography

/// What a client computes for one request under a challenge, RFC 7616 3.4.
package struct DigestResponse {
    package let challenge: DigestChallenge
    package let username: [UInt8]
    package let password: [UInt8]
    package let cnonce: [UInt8]
    package let count: UInt32
    /// Nonce and client nonce that began the authentication session (`-sess`): they outlive a `nextnonce`.
    package let session: (nonce: [UInt8], cnonce: [UInt8])

    package init(
        challenge: DigestChallenge, username: [UInt8], password: [UInt8], cnonce: [UInt8], count: UInt32,
        session: (nonce: [UInt8], cnonce: [UInt8])
    ) {
        self.challenge = challenge
        self.username = username
        self.password = password
        self.cnonce = cnonce
        self.count = count
        self.session = session
    }

    private func hash(_ parts: [[UInt8]]) -> [UInt8] {
        let text = Array(parts.joined(separator: [0x3A]))
        let raw = Digest.hash(challenge.algorithm, text.span)
        return Hex.encode(raw.span)
    }

    private var countText: [UInt8] {
        [28, 24, 20, 16, 12, 8, 4, 0].map { (shift: UInt32) in
            Hex.lowerDigit(UInt8(truncatingIfNeeded: count >> shift & 15))
        }
    }

    private var qop: [UInt8]? {
        switch challenge.protection {
        case .none: nil
        case .auth: Array("auth".utf8)
        case .authInt: Array("auth-int".utf8)
        }
    }

    /// The `response` value.
    /// - Parameter body: of the request; only `auth-int` looks at it.
    package func response(method: [UInt8], uri: [UInt8], body: [UInt8]) -> [UInt8] {
        var second = [method, uri]
        if challenge.protection == .authInt { second.append(hash([body])) }
        return keyed(second)
    }

    /// What a server that knows the password answers as `rspauth` (RFC 7616 3.5): the same without a method; nil with
    /// `auth-int` and without a protection.
    package func serverProof(uri: [UInt8]) -> [UInt8]? { challenge.protection == .auth ? keyed([[], uri]) : nil }

    private func keyed(_ second: [[UInt8]]) -> [UInt8] {
        var first = hash([username, challenge.realm, password])
        if challenge.isSession { first = hash([first, session.nonce, session.cnonce]) }
        guard let qop else { return hash([first, challenge.nonce, hash(second)]) }
        return hash([first, challenge.nonce, countText, cnonce, qop, hash(second)])
    }

    /// `userhash`: H(user:realm).
    package var hashedUser: [UInt8] { hash([username, challenge.realm]) }

    /// The whole `Authorization` value.
    package func authorization(method: [UInt8], uri: [UInt8], body: [UInt8]) -> [UInt8] {
        var output = Array("Digest ".utf8)
        appendUser(to: &output)
        append("realm", quoted: challenge.realm, to: &output)
        append("nonce", quoted: challenge.nonce, to: &output)
        append("uri", quoted: uri, to: &output)
        append("response", quoted: response(method: method, uri: uri, body: body), to: &output)
        if let name = challenge.algorithmName { append("algorithm", plain: name, to: &output) }
        if let opaque = challenge.opaque { append("opaque", quoted: opaque, to: &output) }
        if let qop {
            append("qop", plain: qop, to: &output)
            append("nc", plain: countText, to: &output)
            append("cnonce", quoted: cnonce, to: &output)
        } else if challenge.isSession {
            append("cnonce", quoted: session.cnonce, to: &output)
        }
        if challenge.hashesUser { append("userhash", plain: Array("true".utf8), to: &output) }
        return output
    }

    /// Hashed where the server asks for it; outside ASCII in the form of RFC 8187 (RFC 7616 3.4).
    private func appendUser(to output: inout [UInt8]) {
        if challenge.hashesUser { return append("username", quoted: hashedUser, isFirst: true, to: &output) }
        guard username.contains(where: { $0 >= 0x80 || $0 < 0x20 || $0 == 0x7F }) else {
            return append("username", quoted: username, isFirst: true, to: &output)
        }
        output.append(contentsOf: "username*=UTF-8''".utf8)
        Percent.encode(username.span, into: &output)
    }

    private func append(
        _ name: StaticString, quoted value: [UInt8], isFirst: Bool = false, to output: inout [UInt8]
    ) {
        if !isFirst { output.append(contentsOf: [0x2C, 0x20]) }
        output.append(contentsOf: name.bytes)
        output.append(contentsOf: [0x3D, 0x22])
        for byte in value {
            if byte == 0x22 || byte == 0x5C { output.append(0x5C) }
            output.append(byte)
        }
        output.append(0x22)
    }

    private func append(_ name: StaticString, plain value: [UInt8], to output: inout [UInt8]) {
        output.append(contentsOf: [0x2C, 0x20])
        output.append(contentsOf: name.bytes)
        output.append(0x3D)
        output.append(contentsOf: value)
    }
}
