/// One pair of a `PairBlock`, which it keeps alive: a single reference, so that it costs little to hand about.
package struct PairRecord: Sendable {
    /// The buffer of the block.
    package let bytes: [UInt8]
    package let entry: PairBlock.Entry

    /// The entry must lie inside the bytes.
    package init(bytes: [UInt8], entry: PairBlock.Entry) {
        self.bytes = bytes
        self.entry = entry
    }

    package var name: ArraySlice<UInt8> { bytes[entry.names] }
    package var value: ArraySlice<UInt8> { bytes[entry.values] }
}

extension PairBlock.Entry {
    /// Where the name lies in the block's bytes.
    @inlinable package var names: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameCount) }
    /// Where the value lies in the block's bytes.
    @inlinable package var values: Range<Int> { Int(valueStart)..<Int(valueStart) + Int(valueCount) }
}
