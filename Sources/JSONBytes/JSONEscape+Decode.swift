import Bytes

extension JSONEscape {
    /// Appends the decoded content of a scanned string. A surrogate without partner becomes U+FFFD.
    static func decode(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
        output.reserveCapacity(output.count + bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x5C, index + 1 < bytes.count else {
                output.append(byte)
                index += 1
                continue
            }
            guard bytes[index + 1] == 0x75 else {
                output.append(simple(bytes[index + 1]))
                index += 2
                continue
            }
            if let scalar = scalar(bytes, at: &index) {
                UTF8Sequence.append(scalar, to: &output)
            } else {
                // The scanner refuses this; nothing may trap all the same.
                index += 2
            }
        }
    }
}
