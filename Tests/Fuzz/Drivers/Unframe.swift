import Bytes
import Domain

/// Whatever the bytes: no trap, one verdict and one content for every split, never more out than in, and what our own
/// frame makes comes out again.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    for kind in [nil, AWSChecksum.crc32] {
        let whole = content(input, piece: max(count, 1), kind)
        require((whole?.count ?? 0) <= count)
        require(content(input, piece: 1, kind) == whole)
        require(content(input, piece: 1 + pseudoRandom(input) % max(count, 1), kind) == whole)
        let framer = AWSChunks(key: nil, seed: [], size: 7, trailer: kind)
        var framed: [UInt8] = []
        framer.frame(input.span, into: &framed)
        framer.finish(into: &framed)
        require(content(framed, piece: 5, kind) == input)
    }
    return 0
}

/// `nil`: refused.
private func content(_ input: [UInt8], piece: Int, _ kind: AWSChecksum?) -> [UInt8]? {
    var fields = PairBlock()
    fields.append(name: Array("content-encoding".utf8), value: Array("aws-chunked".utf8))
    if let kind { fields.append(name: Array("x-amz-trailer".utf8), value: kind.fieldName) }
    var output: [UInt8] = []
    var rest = input[...]
    do throws(GatewayError) {
        guard var unframer = try AWSUnframer(fields, sendsTrailer: false) else { fatalError("not seen as framed") }
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            try unframer.take(part.span, into: &output)
            rest = rest.dropFirst(piece)
        }
        try unframer.finish(into: &output)
    } catch {
        return nil
    }
    return output
}

private func pseudoRandom(_ input: [UInt8]) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in input { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash >> 1)
}

private func require(_ condition: Bool, line: Int = #line) {
    if !condition { fatalError("line \(line)") }
}
