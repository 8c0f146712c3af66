import Bytes
import Cryptography

/// A checksum that travels behind a streamed S3 body.
package enum AWSChecksum: String, Sendable, CaseIterable {
    case crc32, crc32c, crc64nvme, sha1, sha256

    /// `x-amz-checksum-crc32c`.
    package var fieldName: [UInt8] { Array("x-amz-checksum-\(rawValue)".utf8) }

    /// Characters of the value in base 64.
    var valueCount: UInt64 {
        switch self {
        case .crc32, .crc32c: 8
        case .crc64nvme: 12
        case .sha1: 28
        case .sha256: 44
        }
    }

    /// Takes bytes piece by piece.
    package struct Running {
        private enum State {
            case digest(Digest.Incremental)
            case check(CyclicCheck)
        }
        private var state: State

        package init(_ kind: AWSChecksum) {
            state =
                switch kind {
                case .sha1: .digest(Digest.Incremental(.sha1))
                case .sha256: .digest(Digest.Incremental(.sha256))
                case .crc32: .check(CyclicCheck(.crc32))
                case .crc32c: .check(CyclicCheck(.crc32c))
                case .crc64nvme: .check(CyclicCheck(.crc64nvme))
                }
        }

        package mutating func update(_ bytes: Span<UInt8>) {
            switch state {
            case .digest(let digest): digest.update(bytes)
            case .check(var check):
                check.update(bytes)
                state = .check(check)
            }
        }

        /// The value of the field.
        package func text() -> [UInt8] {
            let raw =
                switch state {
                case .digest(let digest): digest.finish()
                case .check(let check): check.value
                }
            return Base64.encode(raw.span)
        }
    }
}
