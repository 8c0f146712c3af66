import Bytes
import Cryptography

/// S3's `aws-chunked` body: each chunk carries a signature that continues the one before it, the first that of the head.
package final class AWSChunks: BodyFramer {
    /// S3 takes no chunk below 8 KiB except the last; the SDKs use this size.
    package static let defaultSize = 64 * 1024
    private static let signatureName = Array(";chunk-signature=".utf8)
    private static let trailerSignatureName = Array("x-amz-trailer-signature:".utf8)
    private static let emptyHash = Array("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".utf8)

    private let size: Int
    /// `nil`: chunks are not signed (`STREAMING-UNSIGNED-PAYLOAD-TRAILER`).
    private let key: AWSKey?
    private var previous: [UInt8]
    private let trailer: AWSChecksum?
    private var checksum: AWSChecksum.Running?
    private var pending: [UInt8] = []
    /// What was signed, for tests and `explain`.
    package private(set) var signatures: [[UInt8]] = []

    /// - Parameters:
    ///   - key: `nil` leaves the chunks unsigned.
    ///   - seed: signature of the head.
    package init(key: AWSKey?, seed: [UInt8], size: Int, trailer: AWSChecksum?) {
        self.key = key
        self.size = max(size, 1)
        self.trailer = trailer
        previous = seed
        checksum = trailer.map { AWSChecksum.Running($0) }
    }

    /// Length of the framed body; `nil` on overflow.
    package static func framedCount(
        of count: UInt64, isSigned: Bool, size: Int, trailer: AWSChecksum?
    ) -> UInt64? {
        let size = UInt64(max(size, 1))
        let (whole, rest) = count.quotientAndRemainder(dividingBy: size)
        let (chunks, overflow) = whole.multipliedReportingOverflow(by: frame(size, isSigned) + size)
        var total = chunks
        var parts = [frame(0, isSigned) - 2]
        if rest > 0 { parts += [frame(rest, isSigned), rest] }
        if let trailer {
            parts.append(UInt64(trailer.fieldName.count) + 1 + trailer.valueCount + 2)
            if isSigned { parts.append(UInt64(trailerSignatureName.count) + 64 + 2) }
        }
        parts.append(2)
        var failed = overflow
        for part in parts {
            let (sum, carry) = total.addingReportingOverflow(part)
            (total, failed) = (sum, failed || carry)
        }
        return failed ? nil : total
    }

    /// Bytes around the data of a chunk.
    private static func frame(_ count: UInt64, _ isSigned: Bool) -> UInt64 {
        let digits = UInt64(String(count, radix: 16).utf8.count)
        return digits + (isSigned ? UInt64(signatureName.count) + 64 : 0) + 4
    }

    package func frame(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
        checksum?.update(bytes)
        var start = 0
        // A whole chunk that lies in the piece needs no copy.
        while pending.count + (bytes.count - start) >= size {
            let count = size - pending.count
            let part = bytes.extracting(start..<start + count)
            if pending.isEmpty {
                appendChunk(part, to: &output)
            } else {
                pending.append(copying: part)
                let chunk = pending
                appendChunk(chunk.span, to: &output)
                pending.removeAll(keepingCapacity: true)
            }
            start += count
        }
        pending.append(copying: bytes.extracting(start..<bytes.count))
    }

    package func finish(into output: inout [UInt8]) {
        if !pending.isEmpty {
            let chunk = pending
            appendChunk(chunk.span, to: &output)
            pending = []
        }
        let empty: [UInt8] = []
        appendHead(empty.span, to: &output)
        if let trailer, let value = checksum?.text() { append(trailer, value, to: &output) }
        output.append(contentsOf: [0x0D, 0x0A])
    }

    private func appendChunk(_ data: Span<UInt8>, to output: inout [UInt8]) {
        output.reserveCapacity(output.count + data.count + 96)
        appendHead(data, to: &output)
        output.append(copying: data)
        output.append(contentsOf: [0x0D, 0x0A])
    }

    private func appendHead(_ data: Span<UInt8>, to output: inout [UInt8]) {
        output.append(contentsOf: String(data.count, radix: 16).utf8)
        if let key {
            let hash = Digest.hash(.sha256, data)
            sign(key, "PAYLOAD", [previous, Self.emptyHash, Hex.encode(hash.span)])
            output.append(contentsOf: Self.signatureName)
            output.append(contentsOf: previous)
        }
        output.append(contentsOf: [0x0D, 0x0A])
    }

    private func append(_ trailer: AWSChecksum, _ value: [UInt8], to output: inout [UInt8]) {
        let line = trailer.fieldName + [0x3A] + value
        output.append(contentsOf: line)
        output.append(contentsOf: [0x0D, 0x0A])
        guard let key else { return }
        // Signed with a bare line feed, though it travels with CR LF.
        let signed = line + [0x0A]
        let hash = Digest.hash(.sha256, signed.span)
        sign(key, "TRAILER", [previous, Hex.encode(hash.span)])
        output.append(contentsOf: Self.trailerSignatureName)
        output.append(contentsOf: previous)
        output.append(contentsOf: [0x0D, 0x0A])
    }

    private func sign(_ key: AWSKey, _ kind: StaticString, _ parts: [[UInt8]]) {
        previous = key.signature(key.stringToSign(kind, parts))
        // Bounded: a test looks at a few, a large upload has none to look at.
        if signatures.count < 8 { signatures.append(previous) }
    }
}
