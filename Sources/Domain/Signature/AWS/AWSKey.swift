import Bytes
import Cryptography
package import Expressions

/// Date, scope and derived key of one AWS signature, version 4 (a shared key) or 4a (an asymmetric one).
package struct AWSKey {
    /// `20130524T000000Z`.
    package let date: [UInt8]
    /// `20130524/us-east-1/s3/aws4_request`.
    package let scope: [UInt8]
    /// First line of what is signed, and the scheme of the header.
    let algorithm: [UInt8]
    /// `X-Amz-Region-Set` of version 4a; its scope names no region.
    let regionSet: [UInt8]?
    private let key: [UInt8]
    private let asymmetric: PrivateKey?

    private static let algorithm = Array("AWS4-HMAC-SHA256".utf8)
    private static let terminator = Array("aws4_request".utf8)

    package init(secret: [UInt8], region: [UInt8], service: [UInt8], time: Timestamp, cache: AWSKeyCache? = nil) {
        date = Self.text(time)
        let day = Array(date.prefix(8))
        scope = Self.scope(day, region, service)
        func derive() -> [UInt8] {
            var key = Array("AWS4".utf8) + secret
            for part in [day, region, service, Self.terminator] {
                key = HMAC.authenticate(.sha256, key: key.span, message: part.span)
            }
            return key
        }
        key = cache?.key(secret: secret, scope: scope, derive: derive) ?? derive()
        algorithm = Self.algorithm
        (regionSet, asymmetric) = (nil, nil)
    }

    /// Version 4a: one signature for several regions.
    package init(
        asymmetric secret: [UInt8], accessKey: [UInt8], regionSet: [UInt8], service: [UInt8], time: Timestamp
    ) throws(EvaluationError) {
        date = Self.text(time)
        scope = Array(date.prefix(8)) + [0x2F] + service + [0x2F] + Self.terminator
        algorithm = AWSAsymmetricKey.algorithm
        self.regionSet = regionSet
        key = []
        asymmetric = try AWSAsymmetricKey.key(secret: secret, accessKey: accessKey)
    }

    private static func scope(_ day: [UInt8], _ region: [UInt8], _ service: [UInt8]) -> [UInt8] {
        var scope: [UInt8] = []
        scope.reserveCapacity(day.count + region.count + service.count + terminator.count + 3)
        for part in [day, region, service] {
            scope.append(contentsOf: part)
            scope.append(0x2F)
        }
        scope.append(contentsOf: terminator)
        return scope
    }

    private static func text(_ time: Timestamp) -> [UInt8] {
        let civil = CivilTime(seconds: time.seconds)
        var text: [UInt8] = []
        text.reserveCapacity(16)
        func append(_ number: Int, digits: Int) {
            var divisor = digits == 4 ? 1000 : 10
            while divisor > 0 {
                text.append(0x30 | UInt8(truncatingIfNeeded: number / divisor % 10))
                divisor /= 10
            }
        }
        append(civil.year, digits: 4)
        append(civil.month, digits: 2)
        append(civil.day, digits: 2)
        text.append(0x54)
        append(civil.hour, digits: 2)
        append(civil.minute, digits: 2)
        append(civil.second, digits: 2)
        text.append(0x5A)
        return text
    }

    /// What is signed for a request.
    package func stringToSign(canonical: [UInt8]) -> [UInt8] {
        let hash = Digest.hash(.sha256, canonical.span)
        return lines(algorithm, [Hex.encode(hash.span)])
    }

    /// What is signed for a chunk (`kind` `PAYLOAD`) or a trailer (`TRAILER`).
    func stringToSign(_ kind: StaticString, _ parts: [[UInt8]]) -> [UInt8] {
        lines(algorithm + [0x2D] + kind.bytes, parts)
    }

    private func lines(_ first: [UInt8], _ rest: [[UInt8]]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(first.count + date.count + scope.count + 3 + rest.count * 65)
        text.append(contentsOf: first)
        text.append(0x0A)
        text.append(contentsOf: date)
        text.append(0x0A)
        text.append(contentsOf: scope)
        for part in rest {
            text.append(0x0A)
            text.append(contentsOf: part)
        }
        return text
    }

    /// The signature of a request in lower-case base 16; of version 4a in DER, another one each time.
    func requestSignature(_ text: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard let asymmetric else { return signature(text) }
        let signature = try asymmetric.sign(text.span, .ecdsa(.sha256, .der))
        return Hex.encode(signature.span)
    }

    /// With the shared key, in lower-case base 16. Chunks have no other.
    package func signature(_ text: [UInt8]) -> [UInt8] {
        let mac = HMAC.authenticate(.sha256, key: key.span, message: text.span)
        return Hex.encode(mac.span)
    }
}
