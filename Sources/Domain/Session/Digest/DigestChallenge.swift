package import Bytes
package import Cryptography

/// One challenge of HTTP Digest, RFC 7616 3.3.
package struct DigestChallenge: Sendable, Equatable {
    package enum Protection: Sendable, Equatable {
        /// RFC 2069: no counter, no client nonce.
        case none
        case auth
        /// The body is covered too.
        case authInt
    }

    package var realm: [UInt8]
    package var nonce: [UInt8]
    package var opaque: [UInt8]?
    package var algorithm = DigestAlgorithm.md5
    /// As the server wrote it; nil: it said none (MD5).
    package var algorithmName: [UInt8]?
    package var isSession = false
    /// What the server offers.
    package var offersAuth = false
    package var offersAuthInt = false
    package var hashesUser = false
    package var isStale = false

    package init(realm: [UInt8], nonce: [UInt8]) {
        self.realm = realm
        self.nonce = nonce
    }

    /// The first challenge in an answer that can be met: servers list them by preference.
    package init?(_ fields: PairBlock) {
        for index in 0..<fields.count {
            guard ASCII.equalFolded(fields.name(at: index).span, Array("www-authenticate".utf8).span) else { continue }
            for challenge in AuthenticateField.challenges(fields.value(at: index)) {
                if let found = Self.read(challenge) {
                    self = found
                    return
                }
            }
        }
        return nil
    }

    private static func read(_ challenge: AuthenticateField.Challenge) -> DigestChallenge? {
        guard challenge.scheme == Array("digest".utf8), let realm = challenge.value("realm"),
            let nonce = challenge.value("nonce"), !nonce.isEmpty,
            // They go into a field of ours.
            (realm + nonce + (challenge.value("opaque") ?? [])).allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        var result = DigestChallenge(realm: realm, nonce: nonce)
        result.opaque = challenge.value("opaque")
        if let name = challenge.value("algorithm") {
            var text = String(decoding: name.map(ASCII.upper), as: UTF8.self)
            result.algorithmName = name
            if text.hasSuffix("-SESS") {
                result.isSession = true
                text.removeLast(5)
            }
            switch text {
            case "MD5": result.algorithm = .md5
            case "SHA-256": result.algorithm = .sha256
            case "SHA-512-256": result.algorithm = .sha512_256
            default: return nil
            }
        }
        if let qop = challenge.value("qop") {
            let offers = qop.split(separator: 0x2C).map { ASCII.trimmed($0).map(ASCII.lower) }
            result.offersAuth = offers.contains(Array("auth".utf8))
            result.offersAuthInt = offers.contains(Array("auth-int".utf8))
            guard result.offersAuth || result.offersAuthInt else { return nil }
        }
        result.hashesUser = isTrue(challenge.value("userhash"))
        result.isStale = isTrue(challenge.value("stale"))
        return result
    }

    private static func isTrue(_ value: [UInt8]?) -> Bool { value?.map(ASCII.lower) == Array("true".utf8) }

    /// `auth` where it is offered: it needs no look at the body.
    package var protection: Protection { offersAuth ? .auth : offersAuthInt ? .authInt : .none }
}
